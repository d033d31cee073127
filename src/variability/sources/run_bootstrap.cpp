// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "core/random.hpp"
#include "stats/median.hpp"
#include "variability/sources/cluster_sources.hpp"

namespace palstudy {
namespace {

// All runs of a measurement over the median run.
std::vector<double> run_slowdowns(const Measurements& measured) {
  std::vector<double> runs;
  runs.reserve(measured.runs());
  for (const auto& gpu : measured.gpus) runs.insert(runs.end(), gpu.times_ms.begin(), gpu.times_ms.end());
  const double middle = median(runs);
  for (double& run : runs) run /= middle;
  return runs;
}

// Uniform in [0, n) from the four words of one draw (Lemire's method). All four are refused with a chance under 1e-20
// at the sizes met here; then the last one counts, for the draw of one class may not move that of another.
std::size_t below(const std::array<std::uint32_t, 4>& words, std::uint32_t n) {
  const std::uint32_t threshold = (0U - n) % n;
  std::uint64_t product = 0;
  for (const std::uint32_t word : words) {
    product = std::uint64_t{word} * n;
    if (static_cast<std::uint32_t>(product) >= threshold) break;
  }
  return static_cast<std::size_t>(product >> 32);
}

}  // namespace

Slowdowns bootstrap_slowdowns(const ClassMeasurements& classes, const Topology& topology, std::uint64_t seed) {
  std::vector<std::string> names;
  std::vector<double> values;
  values.reserve(classes.size() * topology.gpus());
  std::uint32_t position = 0;
  for (const auto& [name, measured] : classes) {
    names.push_back(name);
    const std::vector<double> runs = run_slowdowns(*measured);
    for (std::uint32_t gpu = 0; gpu < topology.gpus(); ++gpu) {
      const auto words = draw(seed, Purpose::cluster_draw, gpu, position);
      values.push_back(runs[below(words, static_cast<std::uint32_t>(runs.size()))]);
    }
    ++position;
  }
  return {std::move(names), topology.gpus(), std::move(values)};
}

}  // namespace palstudy
