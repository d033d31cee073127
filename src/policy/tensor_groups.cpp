// SPDX-License-Identifier: MIT
#include "policy/tensor_groups.hpp"

#include <algorithm>
#include <bit>

namespace palstudy {
namespace {

std::uint32_t size_of(GpuMask mask) { return static_cast<std::uint32_t>(std::popcount(mask)); }

/// Takes whole groups from nodes until none is missing.
class Taker {
 public:
  Taker(std::uint32_t group, std::uint32_t gpus, const FreeGpus& free, GpuSet& out)
      : group_(group), missing_(gpus), free_(free), out_(out) {}

  [[nodiscard]] bool done() const { return missing_ == 0; }
  [[nodiscard]] std::uint32_t room(NodeId node) const { return size_of(free_.mask(node)) / group_ * group_; }

  void take(NodeId node, GpuMask chosen) {
    const std::uint32_t count = std::min(room(node), missing_);
    if (count == 0) return;
    GpuMask mask = lowest(chosen, count);
    mask |= lowest(free_.mask(node) & ~mask, count - size_of(mask));
    out_.push_back({node, mask});
    missing_ -= count;
  }

 private:
  std::uint32_t group_, missing_;
  const FreeGpus& free_;
  GpuSet& out_;
};

}  // namespace

bool keep_groups_whole(std::uint32_t group, const FreeGpus& free, GpuSet& gpus) {
  const auto whole = [&](const NodeGpus& part) { return size_of(part.mask) % group == 0; };
  if (std::all_of(gpus.begin(), gpus.end(), whole)) return true;
  thread_local GpuSet chosen;  // by node, for looking up
  chosen = gpus;
  thread_local GpuSet wanted;
  wanted = gpus;
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const NodeGpus& a, const NodeGpus& b) { return size_of(a.mask) > size_of(b.mask); });
  gpus.clear();
  Taker taker(group, count(wanted), free, gpus);
  for (const NodeGpus& part : wanted) taker.take(part.node, part.mask);
  const Topology& topology = free.topology();
  for (std::uint32_t room = topology.widest_node() / group * group; room > 0 && !taker.done(); room -= group) {
    for (std::uint32_t n = 0; n < topology.nodes() && !taker.done(); ++n) {
      if (taker.room(NodeId(n)) != room) continue;
      const auto at = std::lower_bound(chosen.begin(), chosen.end(), NodeId(n),
                                       [](const NodeGpus& part, NodeId node) { return part.node < node; });
      if (at == chosen.end() || at->node != NodeId(n)) taker.take(NodeId(n), 0);
    }
  }
  canonicalize(gpus);
  return taker.done();
}

std::uint32_t free_in_groups(std::uint32_t group, const FreeGpus& free, NodeId first, std::uint32_t nodes) {
  std::uint32_t sum = 0;
  for (std::uint32_t n = 0; n < nodes; ++n) sum += size_of(free.mask(NodeId(first.value + n))) / group * group;
  return sum;
}

std::uint32_t free_in_groups(std::uint32_t group, const FreeGpus& free) {
  return free_in_groups(group, free, NodeId(0), free.topology().nodes());
}

std::uint64_t gpus_in_groups(std::uint32_t group, const Topology& topology, NodeId first, std::uint32_t nodes) {
  std::uint64_t sum = 0;
  for (std::uint32_t n = 0; n < nodes; ++n) sum += topology.gpus_of(NodeId(first.value + n)) / group * group;
  return sum;
}

}  // namespace palstudy
