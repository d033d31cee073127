// SPDX-License-Identifier: MIT
#include "sim/state/believed_cost.hpp"

#include <algorithm>
#include <bit>

namespace palstudy {

BelievedCost believed_cost(const PartitionState& state, JobId job, const GpuSet& gpus) {
  const ClassBins& bins = state.free.bins().of(state.job(job).cls);
  const Topology& topology = state.free.topology();
  BelievedCost cost;
  for (const NodeGpus& part : gpus) {
    std::uint32_t on_node = 0;
    for (GpuMask rest = part.mask; rest != 0; rest &= rest - 1, ++on_node) {
      const std::size_t gpu = topology.first_gpu(part.node).index() + static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint32_t bin = bins.of_gpu[gpu];
      if (bin > cost.slowest_bin) cost.in_slowest = 0;
      cost.slowest_bin = std::max(cost.slowest_bin, bin);
      cost.in_slowest += bin == cost.slowest_bin ? 1 : 0;
    }
    cost.most_on_a_node = std::max(cost.most_on_a_node, on_node);
  }
  cost.product = state.world.believed_penalty.of(job).at(topology.level(gpus)) * bins.values[cost.slowest_bin];
  return cost;
}

}  // namespace palstudy
