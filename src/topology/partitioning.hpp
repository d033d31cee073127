// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "topology/topology.hpp"

namespace palstudy {

/// Which nodes each partition serves: runs of consecutive nodes. Partitions are no level of locality: they change no
/// wire.
class Partitioning {
 public:
  /// As equal in number of nodes as can be, the first ones larger by one where they cannot. Errors (usage): no
  /// partition, or more partitions than nodes.
  Partitioning(const Topology& topology, std::uint32_t partitions);
  /// Of so many GPUs each. Errors (fault): one that ends inside a node, or not all GPUs.
  Partitioning(const Topology& topology, std::span<const std::uint32_t> gpus);

  [[nodiscard]] std::uint32_t partitions() const { return static_cast<std::uint32_t>(first_node_.size() - 1); }
  [[nodiscard]] NodeId first_node(PartitionId p) const { return NodeId(first_node_[p.index()]); }
  [[nodiscard]] std::uint32_t nodes(PartitionId p) const { return first_node_[p.index() + 1] - first_node_[p.index()]; }
  [[nodiscard]] std::uint32_t gpus(PartitionId p) const { return gpus_[p.index()]; }
  /// GPUs of the largest partition: a job that wants more runs on several.
  [[nodiscard]] std::uint32_t widest() const { return widest_; }
  /// Whether all have as many GPUs as the largest.
  [[nodiscard]] bool alike() const { return alike_; }
  [[nodiscard]] PartitionId of(NodeId node) const;

 private:
  void add(const Topology& topology, std::uint32_t end_node);

  std::vector<std::uint32_t> first_node_;  // partitions() + 1 entries
  std::vector<std::uint32_t> gpus_;
  std::uint32_t widest_ = 0;
  bool alike_ = true;
};

}  // namespace palstudy
