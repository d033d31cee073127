// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

#include "policy/placement_policy.hpp"

namespace palstudy {

/// A placement policy that does what another does, and throws at its n-th choice (from 0; never if that is negative):
/// it stands for any mistake of a policy.
class ThrowingPlacement final : public PlacementPolicy {
 public:
  static constexpr auto message = "a policy threw";
  ThrowingPlacement(PlacementPolicy& of, int n) : of_(of), left_(n) {}
  [[nodiscard]] bool sticky() const override { return of_.sticky(); }
  [[nodiscard]] bool repeatable() const override { return of_.repeatable(); }
  [[nodiscard]] bool moves_running() const override { return of_.moves_running(); }
  [[nodiscard]] IndexNeeds needs() const override { return of_.needs(); }
  [[nodiscard]] bool by_class() const override { return of_.by_class(); }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    if (left_-- == 0) throw std::runtime_error(message);
    return of_.choose(request, free, out);
  }

 private:
  PlacementPolicy& of_;
  int left_;
};

}  // namespace palstudy
