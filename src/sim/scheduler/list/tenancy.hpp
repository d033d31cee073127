// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/scheduler/list/locality_relaxation.hpp"
#include "sim/scheduler/list/tenant_accounting.hpp"
#include "sim/scheduler/list/tenant_order.hpp"
#include "sim/state/scheduler.hpp"

namespace palstudy {

/// What both schedulers of tenants share (Jeon et al., ATC'19, section 2.3): quotas and their use, which is next,
/// how far a waiting job has relaxed its locality, and why jobs wait.
class Tenancy {
 public:
  explicit Tenancy(const PartitionState& state)
      : rules(*state.world.tenants), accounting(rules, state.world.workload), tenant_order(rules), state_(state) {}

  void notify(const JobEvent& event);
  /// The locality that a waiting job insists on at a boundary.
  [[nodiscard]] RelaxationLevel level(JobId job, Boundary k) const;
  /// After the decisions of a boundary: why each waiting job waits, and when that could change although no job arrives
  /// or ends. Follows from the state alone, so that it does not matter how often it is called.
  void note_delays(const View& view, Transaction& transaction);
  [[nodiscard]] double next_change_s() const;
  /// GPUs that each tenant uses: here and, as they were when this boundary began, in the other partitions.
  [[nodiscard]] std::vector<std::uint64_t> used() const;
  /// Without those of this partition.
  [[nodiscard]] std::vector<std::uint64_t> used_elsewhere() const;
  void serialize(auto& archive, unsigned /*version*/) { (archive & accounting); }
  /// Errors (fault): usage that is not that of the jobs and the parts of gangs.
  void check_usage(double now_s) const;

  const TenantRules& rules;
  TenantAccounting accounting;
  TenantOrder tenant_order;
  // At the boundary under way.
  bool freed = false;  ///< GPUs have become free in the midst of it
  bool held = false;   ///< a job has taken a part

 private:
  [[nodiscard]] Boundary failed(JobId job, Boundary k) const;
  [[nodiscard]] Boundary patient_until(JobId job) const;
  [[nodiscard]] DelayCause cause(JobId job, Boundary k, const std::vector<std::uint64_t>& used) const;

  const PartitionState& state_;
  Boundary next_change_ = never;
};

}  // namespace palstudy
