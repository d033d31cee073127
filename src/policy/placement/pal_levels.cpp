// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "policy/placement/lv_lists.hpp"
#include "policy/placement/pm_first.hpp"
#include "policy/placement_policy.hpp"

namespace palstudy {
namespace {

/// The lists with those wider levels that there are: a cabinet of one node is that node, a cabinet of all nodes is the
/// cluster.
LvLists lists_of_levels(const PlacementContext& context) {
  const Topology& topology = context.topology;
  const std::uint32_t cabinets = topology.cabinet_of(NodeId(topology.nodes() - 1)).value + 1;
  const bool has_cabinets = cabinets < topology.nodes();
  return {context, has_cabinets, cabinets > 1};
}

/// `gpus` of a kind on as few of the nodes begin <= node < end as possible: those with the most first, whole, and the
/// rest where it fills a node best; ties: lowest node. There must be enough.
void choose_fewest_nodes(GpuFilter kind, std::uint32_t gpus, NodeId begin, NodeId end, FreeGpus& free, GpuSet& out) {
  const auto find = [&](std::uint32_t n, NodeId from) {
    const auto node = free.exactly(kind, n, from);
    return node && *node < end ? node : std::nullopt;
  };
  for (std::uint32_t n = free.largest(kind); gpus > 0; --n) {
    NodeId from = begin;
    for (auto node = find(n, from); node && gpus >= n && gpus > 0; node = find(n, from)) {
      out.push_back({*node, free.mask(kind, *node)});
      gpus -= n;
      from = NodeId(node->value + 1);
    }
    if (gpus == 0 || gpus >= n) continue;
    // Nodes with fewer than n have not been touched; of those with n, the ones from `from` on.
    for (std::uint32_t k = gpus; k <= n; ++k) {
      if (const auto node = find(k, k < n ? begin : from)) {
        out.push_back({*node, lowest(free.mask(kind, *node), gpus)});
        return;
      }
    }
  }
}

/// PAL's L x V order over all levels and for jobs of any size. A level that cannot hold the job is passed over.
class PalLevels final : public PlacementPolicy {
 public:
  explicit PalLevels(const PlacementContext& context)
      : widest_(context.topology.widest_node()), lists_(lists_of_levels(context)) {}

  [[nodiscard]] bool sticky() const override { return false; }
  [[nodiscard]] IndexNeeds needs() const override {
    return {.counts = false, .exact_bins = true, .bins_up_to = true, .cabinets = true};
  }
  [[nodiscard]] bool by_class() const override { return true; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    const std::uint32_t n = request.gpus;
    if (n == 1) return choose_pm_first(request.cls, n, free, out);
    if (free.total() < n) return false;
    for (const LvProduct& lv : lists_.of(request)) {
      if (lv.level == Level::node ? choose_node(request, lv, free, out) : choose_wider(request, lv, free, out))
        return true;
    }
    return false;
  }

 private:
  [[nodiscard]] bool choose_node(const Request& request, const LvProduct& lv, FreeGpus& free, GpuSet& out) const {
    const GpuFilter kind = GpuFilter::up_to(request.cls, lv.bin);
    if (request.gpus > widest_ || free.largest(kind) < request.gpus) return false;
    const NodeId node = *free.most(kind);
    out.push_back({node, lowest(free.mask(kind, node), request.gpus)});
    return true;
  }
  [[nodiscard]] bool choose_wider(const Request& request, const LvProduct& lv, FreeGpus& free, GpuSet& out) const {
    const std::uint32_t n = request.gpus;
    const GpuFilter kind = GpuFilter::up_to(request.cls, lv.bin);
    if (free.total(kind) < n) return false;
    CabinetFree nodes{NodeId(0), NodeId(free.topology().nodes()), n};
    if (lv.level == Level::cabinet) nodes = free.freest_cabinet(request.cls, lv.bin);
    if (nodes.gpus < n) return false;
    if (n <= widest_) {
      choose_pm_first(request.cls, n, nodes.begin, nodes.end, free, out);
    } else {
      choose_fewest_nodes(kind, n, nodes.begin, nodes.end, free, out);
    }
    return true;
  }

  std::uint32_t widest_;
  LvLists lists_;
};

}  // namespace

void register_placement_pal_levels(PlacementRegistry& registry) {
  registry.add(
      {"pal-levels",
       "As pal, with the levels node, cabinet and cluster, and for jobs of any size; a wide job gets whole nodes "
       "first.",
       {},
       [](const PlacementContext& context, const ParamValues&) { return std::make_unique<PalLevels>(context); }});
}

}  // namespace palstudy
