// SPDX-License-Identifier: MIT
#include <cstdint>

#include "policy/placement/lv_lists.hpp"
#include "policy/placement/pm_first.hpp"
#include "policy/placement_policy.hpp"

namespace palstudy {
namespace {

/// PAL (Jain et al., SC'24): weighs a slower GPU against a wider spread by the product of slowdown and penalty. `pal`
/// places all jobs again, `pal-sticky` moves a running job only where that repays its cost.
class Pal final : public PlacementPolicy {
 public:
  Pal(const PlacementContext& context, bool is_sticky)
      : widest_(context.topology.widest_node()), sticky_(is_sticky), lists_(context, false, true) {}

  [[nodiscard]] bool sticky() const override { return sticky_; }
  [[nodiscard]] bool moves_running() const override { return sticky_; }
  [[nodiscard]] IndexNeeds needs() const override { return {.counts = false, .exact_bins = true, .bins_up_to = true}; }
  [[nodiscard]] bool by_class() const override { return true; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override;

 private:
  std::uint32_t widest_;
  bool sticky_;
  LvLists lists_;
};

bool Pal::choose(const Request& request, FreeGpus& free, GpuSet& out) {
  const std::uint32_t n = request.gpus;
  if (n == 1 || n > widest_) return choose_pm_first(request.cls, n, free, out);
  const FreeCountIndex& counts = free.count_index(request.cls);
  for (const LvProduct& lv : lists_.of(request)) {
    if (lv.level == Level::node) {
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
