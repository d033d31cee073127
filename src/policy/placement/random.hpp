// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "policy/placement_policy.hpp"

namespace palstudy {

/// Both random policies: every set of free GPUs of the wanted size is equally likely. The draw depends on the seed, the
/// job and the time only.
class RandomPlacement final : public PlacementPolicy {
 public:
  RandomPlacement(std::uint64_t seed, bool is_sticky) : seed_(seed), sticky_(is_sticky) {}
  [[nodiscard]] bool sticky() const override { return sticky_; }
  /// A job that is placed again at every boundary gets other GPUs at every boundary.
  [[nodiscard]] bool repeatable() const override { return sticky_; }
  [[nodiscard]] IndexNeeds needs() const override { return {}; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override;

 private:
  void draw_gpus(RandomStream& stream, std::uint32_t gpus, const FreeGpus& free, GpuSet& out);
  void draw_ranks(RandomStream& stream, std::uint32_t gpus, const FreeGpus& free, GpuSet& out);

  std::uint64_t seed_;
  bool sticky_;
  std::vector<GpuMask> chosen_;      // by node; all 0 between calls
  std::vector<NodeId> nodes_;        // with something chosen
  std::vector<std::uint8_t> ranks_;  // by place among the free GPUs
};

}  // namespace palstudy
