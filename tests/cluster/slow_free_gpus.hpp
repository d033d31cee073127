// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/free_gpus.hpp"

namespace palstudy {

/// The slow, obvious twin of FreeGpus: it knows which GPUs are free and looks at all of them for every answer.
class SlowFreeGpus {
 public:
  SlowFreeGpus(const Topology& topology, const Bins& bins)
      : topology_(topology), bins_(bins), held_(topology.gpus(), false), withdrawn_(topology.nodes(), 0) {}

  void take(NodeGpus gpus) { set(gpus, true); }
  void give(NodeGpus gpus) { set(gpus, false); }
  void give_all() { held_.assign(topology_.gpus(), false); }
  void withdraw(NodeId node) { ++withdrawn_[node.index()]; }
  void restore(NodeId node) { --withdrawn_[node.index()]; }
  [[nodiscard]] bool withdrawn(NodeId node) const { return withdrawn_[node.index()] > 0; }

  /// GPUs that nobody holds, of a withdrawn node too.
  [[nodiscard]] GpuMask not_held(NodeId node) const {
    GpuMask mask = 0;
    for (std::uint32_t i = 0; i < topology_.gpus_of(node); ++i) {
      if (!held_[topology_.first_gpu(node).index() + i]) mask |= GpuMask{1} << i;
    }
    return mask;
  }
  [[nodiscard]] GpuMask mask(GpuFilter kind, NodeId node) const {
    GpuMask mask = 0;
    if (withdrawn(node)) return mask;
    for (std::uint32_t i = 0; i < topology_.gpus_of(node); ++i) {
      const std::size_t g = topology_.first_gpu(node).index() + i;
      if (!held_[g] && is_of(kind, g)) mask |= GpuMask{1} << i;
    }
    return mask;
  }
  [[nodiscard]] std::uint32_t count(GpuFilter kind, NodeId node) const {
    return static_cast<std::uint32_t>(std::popcount(mask(kind, node)));
  }
  [[nodiscard]] std::uint32_t total(GpuFilter kind) const {
    std::uint32_t sum = 0;
    for (std::uint32_t node = 0; node < topology_.nodes(); ++node) sum += count(kind, NodeId(node));
    return sum;
  }
  [[nodiscard]] std::optional<NodeId> exactly(GpuFilter kind, std::uint32_t n, NodeId from) const {
    for (std::uint32_t node = from.value; node < topology_.nodes(); ++node) {
      if (count(kind, NodeId(node)) == n) return NodeId(node);
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<NodeId> fewest_at_least(GpuFilter kind, std::uint32_t n) const {
    std::optional<NodeId> best;
    std::uint32_t fewest = 0;
    for (std::uint32_t node = 0; node < topology_.nodes(); ++node) {
      const std::uint32_t k = count(kind, NodeId(node));
      if (k < n || (best && k >= fewest)) continue;
      best = NodeId(node);
      fewest = k;
    }
    return best;
  }
  [[nodiscard]] std::optional<NodeId> most(GpuFilter kind) const {
    const std::uint32_t n = largest(kind);
    return n == 0 ? std::nullopt : exactly(kind, n, NodeId(0));
  }
  [[nodiscard]] std::uint32_t largest(GpuFilter kind) const {
    std::uint32_t n = 0;
    for (std::uint32_t node = 0; node < topology_.nodes(); ++node) n = std::max(n, count(kind, NodeId(node)));
    return n;
  }
  [[nodiscard]] std::uint64_t present(GpuFilter kind) const {
    std::uint64_t counts = 0;
    for (std::uint32_t node = 0; node < topology_.nodes(); ++node)
      counts |= std::uint64_t{1} << count(kind, NodeId(node));
    return counts & ~std::uint64_t{1};
  }
  /// First node, node after the last, and GPUs of the kind.
  [[nodiscard]] CabinetFree freest_cabinet(GpuFilter kind) const {
    CabinetFree best{NodeId(0), NodeId(0), 0};
    for (std::uint32_t begin = 0, end = 0; begin < topology_.nodes(); begin = end) {
      std::uint32_t gpus = 0;
      for (; end < topology_.nodes() && topology_.cabinet_of(NodeId(end)) == topology_.cabinet_of(NodeId(begin)); ++end)
        gpus += count(kind, NodeId(end));
      if (begin == 0 || gpus > best.gpus) best = {NodeId(begin), NodeId(end), gpus};
    }
    return best;
  }

 private:
  [[nodiscard]] bool is_of(GpuFilter kind, std::size_t gpu) const {
    if (kind.type == GpuFilter::Type::all) return true;
    const std::uint32_t bin = bins_.of(kind.cls).of_gpu[gpu];
    return kind.type == GpuFilter::Type::bin ? bin == kind.bin_index : bin <= kind.bin_index;
  }
  void set(NodeGpus gpus, bool value) {
    for (std::uint32_t i = 0; i < topology_.gpus_of(gpus.node); ++i) {
      if ((gpus.mask >> i & 1) != 0) held_[topology_.first_gpu(gpus.node).index() + i] = value;
    }
  }

  const Topology& topology_;
  const Bins& bins_;
  std::vector<bool> held_;
  std::vector<int> withdrawn_;  // how often
};

}  // namespace palstudy
