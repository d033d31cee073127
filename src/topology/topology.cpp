// SPDX-License-Identifier: MIT
#include "topology/topology.hpp"

#include <algorithm>
#include <utility>

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
  const auto begin = first_gpu_.begin() + static_cast<std::ptrdiff_t>(first.index());
  std::vector<std::uint32_t> own(begin, begin + count + 1);  // no room for the others: there may be thousands of slices
  for (std::uint32_t& gpu : own) gpu -= first_gpu_[first.index()];
  return {std::move(own), nodes_per_cabinet_, (cabinet_offset_ + first.value) % nodes_per_cabinet_};
}

Topology::Topology(std::vector<std::uint32_t> first_gpu, std::uint32_t nodes_per_cabinet, std::uint32_t cabinet_offset)
    : first_gpu_(std::move(first_gpu)), nodes_per_cabinet_(nodes_per_cabinet), cabinet_offset_(cabinet_offset) {
  look_at_nodes();
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
