// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <vector>

#include "policy/placement/pm_first.hpp"
#include "policy/placement_policy.hpp"

namespace palstudy {
namespace {

/// PAL (Jain et al., SC'24): weighs a slower GPU against a wider spread by the product of slowdown and penalty. `pal`
/// places all jobs again, `pal-sticky` moves a running job only where that repays its cost.
class Pal final : public PlacementPolicy {
 public:
  Pal(const PlacementContext& context, bool is_sticky);

  [[nodiscard]] bool sticky() const override { return sticky_; }
  [[nodiscard]] bool moves_running() const override { return sticky_; }
  [[nodiscard]] IndexNeeds needs() const override { return {.counts = false, .exact_bins = true, .bins_up_to = true}; }
  [[nodiscard]] bool by_class() const override { return true; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override;

 private:
  /// One product of the L x V list: one node, or any nodes, with GPUs of bins 0..bin.
  struct LvProduct {
    double product;
    std::uint32_t bin;
    bool within;
  };
  static std::vector<LvProduct> lv_products(const ClassBins& bins, const LocalityPenalty& penalty);

  std::uint32_t widest_;
  bool sticky_;
  Penalties believed_;
  std::vector<std::vector<LvProduct>> lists_;  // by class, and of each by distinct penalty
};

Pal::Pal(const PlacementContext& context, bool is_sticky)
    : widest_(context.topology.widest_node()), sticky_(is_sticky), believed_(context.believed_penalty) {
  for (std::size_t c = 0; c < context.bins.classes(); ++c) {
    for (const auto& penalty : believed_.distinct())
      lists_.push_back(lv_products(context.bins.of(ClassId(c)), penalty));
  }
}

/// All products of a class and a penalty, best first; equal ones in the order in which the bins first appear, within
/// before across.
std::vector<Pal::LvProduct> Pal::lv_products(const ClassBins& bins, const LocalityPenalty& penalty) {
  std::vector<LvProduct> list;
  for (const std::uint16_t b : bins.appearance) {
    list.push_back({penalty.node * bins.values[b], b, true});
    list.push_back({penalty.cluster * bins.values[b], b, false});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const LvProduct& a, const LvProduct& b) { return a.product < b.product; });
  return list;
}

bool Pal::choose(const Request& request, FreeGpus& free, GpuSet& out) {
  const std::uint32_t n = request.gpus;
  if (n == 1 || n > widest_) return choose_pm_first(request.cls, n, free, out);
  const FreeCountIndex& counts = free.count_index(request.cls);
  for (const LvProduct& lv : lists_[request.cls.index() * believed_.distinct().size() + believed_.place(request.job)]) {
    if (lv.within) {
      const std::uint32_t most = counts.largest(lv.bin, true);
      if (most < n) continue;
      const NodeId node(counts.exactly(lv.bin, true, most, 0));
      out.push_back({node, lowest(free.mask(node) & counts.members(node.value, lv.bin, true), n)});
      return true;
    }
    // The fastest n GPUs are all of bins 0..bin, so PM-First restricted to these is PM-First.
    if (counts.total(lv.bin, true) >= n) return choose_pm_first(request.cls, n, free, out);
  }
  return false;
}

}  // namespace

void register_placement_pal(PlacementRegistry& registry) {
  registry.add(
      {"pal",
       "All jobs are placed again at every boundary, each where slowdown x locality penalty is least.",
       {},
       [](const PlacementContext& context, const ParamValues&) { return std::make_unique<Pal>(context, false); }});
  registry.add(
      {"pal-sticky",
       "New jobs are placed as by pal; a running one moves when the time that this saves exceeds engine.migration_s.",
       {},
       [](const PlacementContext& context, const ParamValues&) { return std::make_unique<Pal>(context, true); }});
}

}  // namespace palstudy
