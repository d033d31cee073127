// SPDX-License-Identifier: MIT
#include "inputs/power_world.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace palstudy {
namespace {

double slowest_gpus(const Topology& topology, const Bins& believed, NodeId node) {
  double sum = 0;
  for (std::size_t c = 0; c < believed.classes(); ++c) {
    const ClassBins& bins = believed.of(ClassId(c));
    double slowest = 0;
    for (std::uint32_t i = 0; i < topology.gpus_of(node); ++i) {
      slowest = std::max(slowest, bins.values[bins.of_gpu[topology.first_gpu(node).index() + i]]);
    }
    sum += slowest;
  }
  return sum / static_cast<double>(believed.classes());
}

}  // namespace

std::optional<PowerWorld> power_world(const RunPlan& run, const Topology& topology, const Bins& believed) {
  if (!run.power.on()) return std::nullopt;
  PowerWorld power{run.power, {}};
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    double value = n;
    if (run.power.off_order == "slowest") value = slowest_gpus(topology, believed, NodeId(n));
    if (run.power.off_order == "random") value = RandomStream(run.policy.seed, Purpose::off_order, n).uniform();
    power.off_first.push_back(value);
  }
  return power;
}

}  // namespace palstudy
