// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policy/active_records.hpp"
#include "policy/view.hpp"

namespace palstudy {

/// What each tenant has used of a partition, in GPU-seconds that decay with a half-life (Slurm's documentation of
/// priority/multifactor, PriorityDecayHalfLife and PriorityCalcPeriod). It is counted at ticks, the multiples of the
/// period: what was used before a tick is multiplied by 2^(-period / half-life), then what has been used since the tick
/// before is added. Between ticks it stays, so that it does not depend on the boundaries at which it is looked at.
///
/// A job uses its GPUs until the boundary at which others can have them. Jobs wider than the partition are not counted.
class TenantUsage {
 public:
  /// `half_life_s`: 0: it does not decay.
  TenantUsage(double half_life_s, double period_s);

  /// As OrderPolicy::observe; to be called whenever a job has ended, also where none is left.
  void observe(const View& view, std::span<const JobId> active);

  /// Share of what all tenants have used, at the last tick; 0 where none has used anything.
  [[nodiscard]] double share(std::uint16_t tenant) const;
  /// Number of tenants that have jobs in the run, whether they have arrived or not; 0 before the first observation.
  [[nodiscard]] std::size_t tenants() const { return tenants_; }
  /// The first tick after the last observation.
  [[nodiscard]] double next_tick_s() const { return (ticks_ + 1) * period_s_; }

  /// As of OrderPolicy.
  [[nodiscard]] std::vector<double> state() const;
  void restore(std::span<const double> state);

 private:
  struct Record {
    JobId job;
    double before_s = 0;   ///< seconds for which it held GPUs before it last got some
    double counted_s = 0;  ///< seconds that are counted in a tenant's usage
  };
  struct Usage {
    double at_tick = 0;  ///< GPU-seconds, at the last tick
    double since = 0;    ///< GPU-seconds since, of jobs that have given their GPUs back
  };

  void count_tenants(const View& view);
  /// Seconds for which the job has held GPUs in all, if it gives none back before `now`: infinite while it holds some.
  [[nodiscard]] static double held_in_all_s(const View& view, const Record& record);
  /// What was used before the tick decays, and what running jobs have used since the last one is added.
  void advance_to_tick(const View& view, double tick_s);
  void count_ended(const View& view);

  double factor_;  // of what was used before, at each tick
  double period_s_;
  std::size_t tenants_ = 0;
  double ticks_ = 0;          // that have passed
  double total_ = 0;          // of all tenants, at the last tick
  std::vector<Usage> usage_;  // by tenant
  ActiveRecords<Record> records_;
};

}  // namespace palstudy
