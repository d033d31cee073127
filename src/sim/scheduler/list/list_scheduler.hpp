// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/state/scheduler.hpp"

namespace palstudy {

/// What the schedulers of the list have in common: an order policy says who is next, a placement policy which GPUs.
class ListScheduler : public Scheduler {
 public:
  explicit ListScheduler(const SchedulerContext& context)
      : state_(context.state), order_(context.order), placement_(context.placement) {}

  [[nodiscard]] double next_change_s(const View& view) override;

 protected:
  /// Fills `ordered_` with the jobs of interest in their order, those that have starved first.
  void put_in_order(const View& view, Transaction& transaction);
  /// Whether the times at which decisions change by themselves cannot be predicted, so that every boundary is visited.
  [[nodiscard]] virtual bool may_change_any_time() const;
  [[nodiscard]] bool backfills() const { return state_.world.engine.backfill != Backfill::none; }

  PartitionState& state_;
  const OrderPolicy& order_;
  PlacementPolicy& placement_;
  std::vector<JobId> ordered_;
};

}  // namespace palstudy
