// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "policy/placement_policy.hpp"

namespace palstudy {

/// A placement policy that does what another does, and takes no job of so many GPUs, whatever is free: it stands for
/// whatever keeps a job from every GPU there is.
class RefusingPlacement final : public PlacementPolicy {
 public:
  /// `says_so`: it is known as one that may refuse, so that Gavel packs what it refuses.
  RefusingPlacement(PlacementPolicy& of, std::uint32_t gpus, bool says_so)
      : of_(of), refused_(gpus), says_so_(says_so) {}
  [[nodiscard]] bool may_refuse() const override { return says_so_; }
  [[nodiscard]] bool sticky() const override { return of_.sticky(); }
  [[nodiscard]] bool repeatable() const override { return of_.repeatable(); }
  [[nodiscard]] bool moves_running() const override { return of_.moves_running(); }
  [[nodiscard]] IndexNeeds needs() const override { return of_.needs(); }
  [[nodiscard]] bool by_class() const override { return of_.by_class(); }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    return request.gpus != refused_ && of_.choose(request, free, out);
  }

 private:
  PlacementPolicy& of_;
  std::uint32_t refused_;
  bool says_so_;
};

}  // namespace palstudy
