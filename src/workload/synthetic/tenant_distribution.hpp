// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace palstudy {

/// Whose jobs they are. Tenants stand in departments of `block`, all alike; within one the chances fall from tenant to
/// tenant by a ratio, for jobs of one GPU from the first tenant on, for wider ones from the last: in Philly one tenant
/// makes half the jobs and another a quarter of the GPU time.
struct TenantStatistics {
  double gpus_each = 200;  ///< a tenant for as many GPUs
  std::uint32_t most = 1000, block = 12;
  double narrow_ratio = 0.5, wide_ratio = 0.85;
};

class TenantDistribution {
 public:
  TenantDistribution(const TenantStatistics& numbers, std::uint32_t cluster_gpus);

  [[nodiscard]] std::uint32_t tenants() const { return tenants_; }
  /// "vc0", "vc1", ...
  [[nodiscard]] std::vector<std::string> names() const;
  /// The tenant at two uniform numbers in [0, 1).
  [[nodiscard]] std::uint16_t choose(bool wide, double department, double within) const;

 private:
  TenantStatistics numbers_;
  std::uint32_t tenants_;
};

}  // namespace palstudy
