// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// The widest level that a set of GPUs spans: what the locality penalty depends on.
enum class Level : std::uint8_t { node, cabinet, cluster };

/// A factor for each level, `[node, cabinet, cluster]`; 1 is no penalty.
struct LocalityPenalty {
  double node = 1.0;
  double cabinet = 1.7;
  double cluster = 1.7;
  [[nodiscard]] double at(Level level) const {
    return level == Level::node ? node : level == Level::cabinet ? cabinet : cluster;
  }
  friend bool operator==(const LocalityPenalty&, const LocalityPenalty&) = default;
};

/// `count` nodes of `gpus` GPUs each.
struct NodeGroup {
  std::uint32_t count = 0;
  std::uint32_t gpus = 0;
};

/// The wires: which GPU is in which node and cabinet. GPU ids run through node 0, then node 1, and so on.
class Topology {
 public:
  /// Errors (usage): no node, a node without GPUs or with more than `max_gpus_per_node`, an empty cabinet.
  Topology(std::span<const NodeGroup> groups, std::uint32_t nodes_per_cabinet);

  /// `count` nodes from `first` on as wires of their own: nodes and GPUs count from 0 again, and so do cabinets, of
  /// which the first may be a part of one.
  [[nodiscard]] Topology slice(NodeId first, std::uint32_t count) const;

  [[nodiscard]] std::uint32_t gpus() const { return first_gpu_.back(); }
  [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_gpu_.size() - 1); }
  /// GPUs of the largest node.
  [[nodiscard]] std::uint32_t widest_node() const { return widest_node_; }
  [[nodiscard]] std::uint32_t gpus_of(NodeId node) const {
    return first_gpu_[node.index() + 1] - first_gpu_[node.index()];
  }
  [[nodiscard]] GpuId first_gpu(NodeId node) const { return GpuId(first_gpu_[node.index()]); }
  [[nodiscard]] NodeId node_of(GpuId gpu) const {
    return alike_gpus_ != 0 ? NodeId(gpu.value / alike_gpus_) : node_by_search(gpu);
  }
  [[nodiscard]] CabinetId cabinet_of(NodeId node) const {
    return CabinetId((cabinet_offset_ + node.value) / nodes_per_cabinet_);
  }
  /// All GPUs of a node.
  [[nodiscard]] GpuMask full(NodeId node) const {
    const std::uint32_t n = gpus_of(node);
    return n == 32 ? ~GpuMask{0} : (GpuMask{1} << n) - 1;
  }
  /// The widest level of a canonical, non-empty set.
  [[nodiscard]] Level level(const GpuSet& gpus) const;

 private:
  Topology(std::vector<std::uint32_t> first_gpu, std::uint32_t nodes_per_cabinet, std::uint32_t cabinet_offset);
  [[nodiscard]] NodeId node_by_search(GpuId gpu) const;
  void look_at_nodes();  // once first_gpu_ is known

  std::vector<std::uint32_t> first_gpu_;  // nodes() + 1 entries
  std::uint32_t nodes_per_cabinet_;
  std::uint32_t cabinet_offset_ = 0;  // nodes of the first cabinet that belong to another slice
  std::uint32_t widest_node_ = 0;
  std::uint32_t alike_gpus_ = 0;  // of every node; 0 where they differ
};

/// `use(gpu)` for the number of each GPU of a set, by node and ascending.
template <class Use>
void for_each_gpu(const Topology& topology, const NodeGpus& on_node, Use use) {
  const std::uint32_t first = topology.first_gpu(on_node.node).value;
  for (GpuMask rest = on_node.mask; rest != 0; rest &= rest - 1) {
    use(first + static_cast<std::uint32_t>(std::countr_zero(rest)));
  }
}
template <class Use>
void for_each_gpu(const Topology& topology, const GpuSet& gpus, Use use) {
  for (const NodeGpus& on_node : gpus) for_each_gpu(topology, on_node, use);
}

}  // namespace palstudy
