// SPDX-License-Identifier: MIT
#include "sim/engine/rank_partitions.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "core/error.hpp"

namespace palstudy {
namespace {

PartitionResources resources_of(const World& world, PartitionId p) {
  const NodeId node = world.partitioning.first_node(p);
  const GpuId gpu = world.topology.first_gpu(node);
  return {p, gpu, world.topology.slice(node, world.partitioning.nodes(p)),
          world.believed.slice(gpu, world.partitioning.gpus(p))};
}

}  // namespace

RankPartitions::RankPartitions(const World& world, const Policies& policies, Exchange& exchange, std::vector<int> owner,
                               JobStates& states, RunRows& rows)
    : exchange_(exchange),
      owner_(std::move(owner)),
      parts_(world.partitioning.partitions()),
      cost_s_(world.partitioning.partitions(), 0.0) {
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    if (owner_[p] != exchange.rank()) continue;
    parts_[p] = std::make_unique<Partition>(world, resources_of(world, PartitionId(p)), policies, states, rows);
  }
}

/// What one rank of a team alone knows of is a fault for all.
void RankPartitions::throw_failure() const {
  if (!failure_) {
    if (!single()) throw OtherRankFailed();
    return;
  }
  if (exchange_.ranks() == 1) std::rethrow_exception(failure_);
  try {
    std::rethrow_exception(failure_);
  } catch (const std::exception& error) {
    throw fault(error.what());
  }
}

std::vector<int> assign_partitions(const std::vector<double>& cost, int ranks) {
  std::vector<std::size_t> dearest(cost.size());
  std::iota(dearest.begin(), dearest.end(), std::size_t{0});
  std::stable_sort(dearest.begin(), dearest.end(), [&](std::size_t a, std::size_t b) { return cost[a] > cost[b]; });
  std::vector<double> load(static_cast<std::size_t>(ranks), 0.0);
  std::vector<int> owner(cost.size());
  for (const std::size_t p : dearest) {
    const auto least = std::min_element(load.begin(), load.end());
    owner[p] = static_cast<int>(least - load.begin());
    *least += cost[p];
  }
  return owner;
}

double heaviest(const std::vector<double>& cost, const std::vector<int>& owner, int ranks) {
  std::vector<double> load(static_cast<std::size_t>(ranks), 0.0);
  for (std::size_t p = 0; p < cost.size(); ++p) load[static_cast<std::size_t>(owner[p])] += cost[p];
  return *std::max_element(load.begin(), load.end());
}

}  // namespace palstudy
