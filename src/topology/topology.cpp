// SPDX-License-Identifier: MIT
#include "topology/topology.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace palstudy {

Topology::Topology(std::span<const NodeGroup> groups, std::uint32_t nodes_per_cabinet)
    : first_gpu_{0}, nodes_per_cabinet_(nodes_per_cabinet) {
  if (nodes_per_cabinet == 0) throw usage_error("a cabinet without nodes", "cluster.nodes_per_cabinet");
  for (const NodeGroup& group : groups) {
    if (group.gpus == 0) throw usage_error("a node without GPUs", "cluster.gpus_per_node");
    if (group.gpus > max_gpus_per_node) {
      throw usage_error("a node of " + std::to_string(group.gpus) + " GPUs", "cluster.gpus_per_node",
                        "at most " + std::to_string(max_gpus_per_node) + " are supported");
    }
    for (std::uint32_t i = 0; i < group.count; ++i) first_gpu_.push_back(first_gpu_.back() + group.gpus);
  }
  if (nodes() == 0) throw usage_error("a cluster without nodes", "cluster.gpus");
  look_at_nodes();
}

void Topology::look_at_nodes() {
  widest_node_ = 0;
  for (std::uint32_t n = 0; n < nodes(); ++n) widest_node_ = std::max(widest_node_, gpus_of(NodeId(n)));
  alike_gpus_ = std::uint64_t{widest_node_} * nodes() == gpus() ? widest_node_ : 0;
}

Topology Topology::slice(NodeId first, std::uint32_t count) const {
  Topology part = *this;
  const auto begin = first_gpu_.begin() + static_cast<std::ptrdiff_t>(first.index());
  part.first_gpu_.assign(begin, begin + count + 1);
  part.cabinet_offset_ = (cabinet_offset_ + first.value) % nodes_per_cabinet_;
  for (std::uint32_t& gpu : part.first_gpu_) gpu -= first_gpu_[first.index()];
  part.look_at_nodes();
  return part;
}

NodeId Topology::node_by_search(GpuId gpu) const {
  const auto next = std::upper_bound(first_gpu_.begin(), first_gpu_.end(), gpu.value);
  return NodeId(static_cast<std::size_t>(next - first_gpu_.begin()) - 1);
}

Level Topology::level(const GpuSet& gpus) const {
  if (gpus.size() == 1) return Level::node;
  return cabinet_of(gpus.front().node) == cabinet_of(gpus.back().node) ? Level::cabinet : Level::cluster;
}

}  // namespace palstudy
