// SPDX-License-Identifier: MIT
#include "sim/state/faulty_places.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"

namespace palstudy {
namespace {

/// By GPU: how much slower it is than the fastest, over the mean of that; 1 where all are alike.
std::vector<double> excess(const Slowdowns& truth) {
  std::vector<double> mean(truth.gpus(), 0.0);
  for (std::size_t c = 0; c < truth.classes(); ++c) {
    const auto of_class = truth.of(ClassId(c));
    for (std::size_t g = 0; g < mean.size(); ++g) mean[g] += of_class[g] / static_cast<double>(truth.classes());
  }
  const double fastest = *std::min_element(mean.begin(), mean.end());
  double sum = 0;
  for (double& value : mean) sum += value -= fastest;
  for (double& value : mean) value = sum > 0 ? value / (sum / static_cast<double>(mean.size())) : 1.0;
  return mean;
}

double exponential(std::uint64_t seed, std::uint64_t place) {
  return -std::log(RandomStream(seed, Purpose::faulty_place, place).uniform_positive());
}

}  // namespace

FaultyPlaces::FaultyPlaces(const Topology& topology, const Slowdowns& truth, Faults faults, bool slow,
                           std::uint64_t seed)
    : faults_(faults) {
  if (faults == Faults::job) return;
  factor_ = slow ? excess(truth) : std::vector<double>(topology.gpus(), 1.0);
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    const std::uint32_t first = topology.first_gpu(NodeId(n)).value, end = first + topology.gpus_of(NodeId(n));
    if (faults == Faults::gpu) {
      for (std::uint32_t g = first; g < end; ++g) factor_[g] *= exponential(seed, g);
      continue;
    }
    double mean = 0;
    for (std::uint32_t g = first; g < end; ++g) mean += factor_[g] / (end - first);
    for (std::uint32_t g = first; g < end; ++g) factor_[g] = mean * exponential(seed, n);
  }
}

}  // namespace palstudy
