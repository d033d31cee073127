// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "policy/placement/pm_first.hpp"
#include "policy/placement_policy.hpp"

namespace palstudy {
namespace {

/// One product of the list: one node, one cabinet or any nodes, with GPUs of bins 0..bin.
struct LvProduct {
  double product;
  std::uint32_t bin;
  Level level;
};

/// Which of the wider levels there are: a cabinet of one node is that node, a cabinet of all nodes is the cluster.
struct Levels {
  bool cabinet, cluster;
  explicit Levels(const Topology& topology) {
    const std::uint32_t cabinets = topology.cabinet_of(NodeId(topology.nodes() - 1)).value + 1;
    cabinet = cabinets < topology.nodes();
    cluster = cabinets > 1;
  }
};

/// All products of a class and a penalty, best first; equal ones in the order in which the bins first appear, narrower
/// before wider.
std::vector<LvProduct> lv_products(const ClassBins& bins, const LocalityPenalty& penalty, const Levels& levels) {
  std::vector<LvProduct> list;
  for (const std::uint16_t b : bins.appearance) {
    list.push_back({penalty.node * bins.values[b], b, Level::node});
    if (levels.cabinet) list.push_back({penalty.cabinet * bins.values[b], b, Level::cabinet});
    if (levels.cluster) list.push_back({penalty.cluster * bins.values[b], b, Level::cluster});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const LvProduct& a, const LvProduct& b) { return a.product < b.product; });
  return list;
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
      : widest_(context.topology.widest_node()), believed_(context.believed_penalty) {
    const Levels levels(context.topology);
    for (std::size_t c = 0; c < context.bins.classes(); ++c) {
      for (const auto& penalty : believed_.distinct()) {
        lists_.push_back(lv_products(context.bins.of(ClassId(c)), penalty, levels));
      }
    }
  }

  [[nodiscard]] bool sticky() const override { return false; }
  [[nodiscard]] IndexNeeds needs() const override {
    return {.counts = false, .exact_bins = true, .bins_up_to = true, .cabinets = true};
  }
  [[nodiscard]] bool by_class() const override { return true; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    const std::uint32_t n = request.gpus;
    if (n == 1) return choose_pm_first(request.cls, n, free, out);
    if (free.total() < n) return false;
    for (const LvProduct& lv :
         lists_[request.cls.index() * believed_.distinct().size() + believed_.place(request.job)]) {
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
  Penalties believed_;
  std::vector<std::vector<LvProduct>> lists_;  // by class, and of each by distinct penalty
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
