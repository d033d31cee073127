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
    const std::uint32_t count = nodes / partitions + (p < nodes % partitions ? 1 : 0);
    const std::uint32_t first = first_node_.back(), last = first + count - 1;
    const std::uint32_t end = topology.first_gpu(NodeId(last)).value + topology.gpus_of(NodeId(last));
    gpus_.push_back(end - topology.first_gpu(NodeId(first)).value);
    widest_ = std::max(widest_, gpus_.back());
    first_node_.push_back(last + 1);
  }
  alike_ = std::count(gpus_.begin(), gpus_.end(), widest_) == std::ptrdiff_t{partitions};
}

PartitionId Partitioning::of(NodeId node) const {
  const auto next = std::upper_bound(first_node_.begin(), first_node_.end(), node.value);
  return PartitionId(static_cast<std::size_t>(next - first_node_.begin()) - 1);
}

}  // namespace palstudy
