// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "policy/placement_policy.hpp"

namespace palstudy {

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

}  // namespace palstudy
