// SPDX-License-Identifier: MIT
#include "policy/pal.hpp"

#include <algorithm>

#include "policy/pm_first.hpp"

namespace palstudy {

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

}  // namespace palstudy
