// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sim/scheduler/list/pal_lower_bound.hpp"
#include "sim/state/scheduler.hpp"

namespace palstudy {

/// Which running jobs of a sticky placement move (`PlacementPolicy::moves_running`).
///
/// At a boundary, after the waiting jobs have been placed, the running jobs are gone through by ascending id. The
/// alternative of a job is what the policy would choose for it if its own GPUs were free as well. With W = seconds of
/// work left at slowdown 1 and penalty 1, p = believed slowdown x penalty of the GPUs that it holds, p' = that of the
/// alternative and m = seconds left of a migration that it is still paying for, it would end in m + W p seconds if it
/// stays and in migration_s + W p' if it moves. It moves if that saves time: W (p - p') > migration_s - m. Without a
/// migration cost every strict gain moves. An alternative of more than one node counts at the cluster's penalty, as by
/// pal, even if it should lie within a cabinet: the true p' is never more. So a move takes p down and leaves that of
/// others alone, and moving ends.
///
/// When to go through them: as time passes, W and m never grow, and p and p' depend only on the GPUs that are free and
/// on those that the job holds. A move that did not repay therefore does not repay later, unless GPUs have been taken
/// or given in between: launches, moves and stops of the boundary itself included. So a boundary is of interest if the
/// free set has changed since, and never by time alone. A job that has to stay and could have moved is asked again at
/// every boundary, until it may.
class Migration {
 public:
  explicit Migration(const SchedulerContext& context)
      : state_(context.state), placement_(context.placement), lower_bound_(state_.free) {}

  [[nodiscard]] bool may_move() const;
  /// But for `staying`, by ascending id.
  void move_running(const View& view, Transaction& transaction, std::span<const JobId> staying);

 private:
  [[nodiscard]] double alternative(JobId job, const GpuSet& gpus) const;
  [[nodiscard]] bool repays(std::uint32_t slot, double work_s, double product, double now_s) const;

  PartitionState& state_;
  const PlacementPolicy& placement_;
  PalLowerBound lower_bound_;
};

}  // namespace palstudy
