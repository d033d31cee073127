// SPDX-License-Identifier: MIT
#include "policy/placement/pm_first.hpp"

#include <algorithm>
#include <bit>

#include "policy/placement_policy.hpp"

namespace palstudy {
namespace {

struct Nodes {
  NodeId begin, end;
};

constexpr std::uint32_t nowhere = UINT32_MAX;

/// The number nearest to `wanted` of those whose bits are set, and the one on the other side if it is as near.
struct Nearest {
  std::uint32_t below = nowhere, above = nowhere;
  Nearest(std::uint64_t bits, std::uint32_t wanted) {
    const std::uint64_t up_to = wanted < 63 ? bits & ((std::uint64_t{2} << wanted) - 1) : bits;
    const std::uint64_t over = bits & ~up_to;
    if (up_to != 0) below = static_cast<std::uint32_t>(std::bit_width(up_to)) - 1;
    if (over != 0) above = static_cast<std::uint32_t>(std::countr_zero(over));
    if (up_to == 0 || over == 0) return;
    const std::uint32_t down = wanted - below, up = above - wanted;
    if (down < up) above = nowhere;
    if (up < down) below = nowhere;
  }
};

/// Takes free GPUs of one bin until none is left or `gpus` are taken; `demand` is the whole job's. What is missing.
std::uint32_t take_bin(const FreeCountIndex& counts, std::uint32_t bin, std::uint32_t demand, std::uint32_t gpus,
                       Nodes nodes, const FreeGpus& free, GpuSet& out) {
  std::uint64_t left = counts.present(bin, false);  // bit q: nodes with q free GPUs of the bin that were not visited
  const auto find = [&](std::uint32_t q, std::uint32_t from) {
    const std::uint32_t node = q == nowhere ? nowhere : counts.exactly(bin, false, q, from);
    return node < nodes.end.value ? node : nowhere;
  };
  const auto take = [&](std::uint32_t node, std::uint32_t q) {
    const std::uint32_t taken = std::min(q, gpus);
    out.push_back({NodeId(node), lowest(free.mask(NodeId(node)) & counts.members(node, bin, false), taken)});
    gpus -= taken;
  };
  while (left != 0 && gpus > 0) {
    // Nodes with fewer and with more than the demand that are equally far come by node id together.
    const auto [less, more] = Nearest(left, demand);
    std::uint32_t below = find(less, nodes.begin.value), above = find(more, nodes.begin.value);
    while (gpus > 0 && below != above) {  // both nowhere: none is left
      if (below < above) {
        take(below, less);
        if (gpus > 0) below = find(less, below + 1);
      } else {
        take(above, more);
        if (gpus > 0) above = find(more, above + 1);
      }
    }
    if (less != nowhere) left &= ~(std::uint64_t{1} << less);
    if (more != nowhere) left &= ~(std::uint64_t{1} << more);
  }
  return gpus;
}

}  // namespace

bool choose_pm_first(ClassId cls, std::uint32_t gpus, FreeGpus& free, GpuSet& out) {
  if (free.total() < gpus) return false;
  choose_pm_first(cls, gpus, NodeId(0), NodeId(free.topology().nodes()), free, out);
  return true;
}

void choose_pm_first(ClassId cls, std::uint32_t gpus, NodeId begin, NodeId end, FreeGpus& free, GpuSet& out) {
  const FreeCountIndex& counts = free.count_index(cls);
  std::uint32_t missing = gpus;
  for (std::uint32_t b = 0; missing > 0; ++b) {
    missing = take_bin(counts, b, gpus, missing, {begin, end}, free, out);
  }
}

namespace {

class PmFirst final : public PlacementPolicy {
 public:
  [[nodiscard]] bool sticky() const override { return false; }
  [[nodiscard]] IndexNeeds needs() const override { return {.exact_bins = true}; }
  [[nodiscard]] bool by_class() const override { return true; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    return choose_pm_first(request.cls, request.gpus, free, out);
  }
};

}  // namespace

void register_placement_pm_first(PlacementRegistry& registry) {
  registry.add({"pm-first",
                "All jobs are placed again at every boundary, each on the fastest free GPUs for its class.",
                {},
                [](const PlacementContext&, const ParamValues&) { return std::make_unique<PmFirst>(); }});
}

}  // namespace palstudy
