// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace palstudy {

/// `[tenants]`, `[ladder]` and `[gang]` of the study: the scheduler of the Philly cluster (Jeon et al., ATC'19, section
/// 2.3). What is absent is infinite or 0 and changes nothing.
struct TenantRules {
  std::vector<double> quota;  ///< GPUs, by Workload::tenants; infinity: unlimited; 0: the tenant only borrows
  /// Share of the GPUs in use from which jobs of tenants over quota are stopped for one within quota.
  double preempt_occupancy = std::numeric_limits<double>::infinity();
  std::uint32_t ladder_attempts = 0;  ///< boundaries for which a waiting job insists on each level; 0: no ladder
  double patience = 0;                ///< a job does not climb before it has waited for this share of its ideal time,
  double patience_most_s = 0;         ///< or so long
  double gang_timeout_s = 0;          ///< for how long a job holds a part of its GPUs; 0: no job holds parts
  double gang_backoff_s = 0;          ///< for how long it then is not tried
  bool dedicated = false;             ///< jobs of several GPUs have nodes of their own
  bool defragment = false;            ///< for which jobs of one GPU are moved together

  [[nodiscard]] bool preempts() const { return preempt_occupancy < std::numeric_limits<double>::infinity(); }
  [[nodiscard]] bool ladder() const { return ladder_attempts > 0; }
  [[nodiscard]] bool gangs() const { return gang_timeout_s > 0; }
  /// Share of its quota that a tenant uses: what tenants are ordered by, least first.
  [[nodiscard]] double share(std::size_t tenant, std::uint64_t used) const {
    if (quota[tenant] == 0) return std::numeric_limits<double>::infinity();
    return static_cast<double>(used) / quota[tenant];
  }
  /// Whether a tenant is within quota with so many GPUs.
  [[nodiscard]] bool within(std::size_t tenant, std::uint64_t gpus) const {
    return static_cast<double>(gpus) <= quota[tenant];
  }
};

}  // namespace palstudy
