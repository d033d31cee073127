// SPDX-License-Identifier: MIT
#include "sim/engine/rank_partitions.hpp"

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

std::vector<std::pair<PartitionId, Partition*>> RankPartitions::own() const {
  std::vector<std::pair<PartitionId, Partition*>> own;
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    if (parts_[p]) own.emplace_back(PartitionId(p), parts_[p].get());
  }
  return own;
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

}  // namespace palstudy
