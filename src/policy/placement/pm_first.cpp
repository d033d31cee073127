// SPDX-License-Identifier: MIT
#include "policy/pm_first.hpp"

#include "policy/placement_policy.hpp"

namespace palstudy {
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
