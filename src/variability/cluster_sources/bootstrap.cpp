// SPDX-License-Identifier: MIT
#include <array>

#include "core/random.hpp"
#include "stats/descriptive.hpp"
#include "variability/sources/cluster_source.hpp"

namespace palstudy {
namespace {

/// All runs of one class's measurements: how slow each is, over the median run, and of which GPU.
struct MeasuredRuns {
  std::vector<double> slowdowns;
  SourceGpus gpus;
};

MeasuredRuns all_runs(const Measurements& measured) {
  MeasuredRuns all;
  for (std::uint32_t g = 0; g < measured.gpus.size(); ++g) {
    const auto& times = measured.gpus[g].times_ms;
    all.slowdowns.insert(all.slowdowns.end(), times.begin(), times.end());
    all.gpus.insert(all.gpus.end(), times.size(), g);
  }
  const double middle = median(all.slowdowns);
  for (double& run : all.slowdowns) run /= middle;
  return all;
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

/// Every GPU and class draws one measured *run* of its class, with replacement and independently: as the published
/// simulator does (a transient slow run becomes a slow GPU). GPU g does not depend on the cluster's size. Classes draw
/// independently also if they name one kernel.
DrawnCluster draw_runs(const SourceContext& from, const ParamValues& /*params*/) {
  const std::uint32_t gpus = from.topology.gpus();
  std::vector<std::string> names;
  std::vector<double> values;
  SourceGpus sources;
  values.reserve(from.classes.size() * gpus);
  sources.reserve(values.capacity());
  std::uint32_t position = 0;
  for (const auto& [name, measured] : from.classes) {
    names.push_back(name);
    const MeasuredRuns runs = all_runs(*measured);
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
      const auto words = draw(from.seed, Purpose::cluster_draw, gpu, position);
      const std::size_t run = below(words, static_cast<std::uint32_t>(runs.gpus.size()));
      values.push_back(runs.slowdowns[run]);
      sources.push_back(runs.gpus[run]);
    }
    ++position;
  }
  return {Slowdowns(std::move(names), gpus, std::move(values)), {}, std::move(sources)};
}

}  // namespace

void register_cluster_source_bootstrap(ClusterSourceRegistry& registry) {
  registry.add({"bootstrap",
                "Every GPU and class draws one measured run, as published.",
                {},
                {.keys = {"profile", "classes", "seed"},
                 .measured = Measured::runs,
                 .scope = ClusterScope::single_runs,
                 .draw = draw_runs}});
}

}  // namespace palstudy
