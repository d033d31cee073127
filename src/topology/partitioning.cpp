// SPDX-License-Identifier: MIT
#include "topology/partitioning.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace palstudy {

Partitioning::Partitioning(const Topology& topology, std::uint32_t partitions) : first_node_{0} {
  const std::uint32_t nodes = topology.nodes();
  if (partitions == 0 || partitions > nodes) {
    throw usage_error(std::to_string(partitions) + " partitions of " + std::to_string(nodes) + " nodes",
                      "cluster.partitions", "a partition has at least one node");
  }
  for (std::uint32_t p = 0; p < partitions; ++p) {
    add(topology, first_node_.back() + nodes / partitions + (p < nodes % partitions ? 1 : 0));
  }
}

Partitioning::Partitioning(const Topology& topology, std::span<const std::uint32_t> gpus) : first_node_{0} {
  for (const std::uint32_t wanted : gpus) {
    std::uint32_t node = first_node_.back(), have = 0;
    while (have < wanted && node < topology.nodes()) have += topology.gpus_of(NodeId(node++));
    if (have != wanted || wanted == 0)
      throw fault("a partition of " + std::to_string(wanted) + " GPUs, no whole nodes");
    add(topology, node);
  }
  if (first_node_.back() != topology.nodes()) throw fault("nodes without a partition");
}

/// The next partition, whose last node is the one before `end_node`.
void Partitioning::add(const Topology& topology, std::uint32_t end_node) {
  const NodeId last(end_node - 1);
  const std::uint32_t end = topology.first_gpu(last).value + topology.gpus_of(last);
  gpus_.push_back(end - topology.first_gpu(NodeId(first_node_.back())).value);
  first_node_.push_back(end_node);
  widest_ = std::max(widest_, gpus_.back());
  alike_ = alike_ && gpus_.back() == gpus_.front();
}

PartitionId Partitioning::of(NodeId node) const {
  const auto next = std::upper_bound(first_node_.begin(), first_node_.end(), node.value);
  return PartitionId(static_cast<std::size_t>(next - first_node_.begin()) - 1);
}

}  // namespace palstudy
