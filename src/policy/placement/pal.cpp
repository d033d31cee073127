// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "policy/placement_policy.hpp"
#include "policy/pm_first.hpp"

namespace palstudy {
namespace {

/// One product of the L x V list: one node, or any nodes, with GPUs of bins 0..bin.
struct Offer {
  double product;
  std::uint32_t bin;
  bool within;
};

/// All products of a class, best first; equal ones in the order in which the bins first appear, within before across.
std::vector<Offer> offers(const ClassBins& bins, const LocalityPenalty& penalty) {
  std::vector<Offer> list;
  for (const std::uint16_t b : bins.appearance) {
    list.push_back({penalty.node * bins.values[b], b, true});
    list.push_back({penalty.cluster * bins.values[b], b, false});
  }
  std::stable_sort(list.begin(), list.end(), [](const Offer& a, const Offer& b) { return a.product < b.product; });
  return list;
}

/// PAL (Jain et al., SC'24): weighs a slower GPU against a wider spread by the product of slowdown and penalty.
class Pal final : public PlacementPolicy {
 public:
  explicit Pal(const PlacementContext& context) : widest_(context.topology.widest_node()) {
    for (std::size_t c = 0; c < context.bins.classes(); ++c) {
      lists_.push_back(offers(context.bins.of(ClassId(c)), context.believed_penalty));
    }
  }

  [[nodiscard]] bool sticky() const override { return false; }
  [[nodiscard]] TreeNeeds needs() const override { return {.counts = false, .exact_bins = true, .bins_up_to = true}; }
  bool arrange(const View& view, std::span<JobId> head) override {
    sort_by_class(view, head);
    return true;
  }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    const std::uint32_t n = request.gpus;
    if (n == 1 || n > widest_) return choose_pm_first(request.cls, n, free, out);
    for (const Offer& offer : lists_[request.cls.index()]) {
      const Kind kind = Kind::up_to(request.cls, offer.bin);
      if (offer.within) {
        if (free.largest(kind) < n) continue;
        const NodeId node = *free.most(kind);
        out.push_back({node, lowest(free.mask(kind, node), n)});
        return true;
      }
      // The fastest n GPUs are all of bins 0..bin, so PM-First restricted to these is PM-First.
      if (free.total(kind) >= n) return choose_pm_first(request.cls, n, free, out);
    }
    return false;
  }

 private:
  std::uint32_t widest_;
  std::vector<std::vector<Offer>> lists_;  // by class
};

}  // namespace

void register_placement_pal(PlacementRegistry& registry) {
  registry.add({"pal",
                "All jobs are placed afresh at every boundary, each where slowdown x locality penalty is least.",
                {},
                [](const PlacementContext& context, const ParamValues&) { return std::make_unique<Pal>(context); }});
}

}  // namespace palstudy
