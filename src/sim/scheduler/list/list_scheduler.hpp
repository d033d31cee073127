// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/state/scheduler.hpp"

namespace palstudy {

/// What the schedulers of the list have in common: an order policy for who is next, a placement policy for the GPUs.
class ListScheduler : public Scheduler {
 public:
  explicit ListScheduler(const SchedulerContext& context)
      : state_(context.state),
        own_order_(context.order.for_partition()),
        order_(own_order_ ? *own_order_ : context.order),
        placement_(context.placement) {}

  [[nodiscard]] double next_change_s(const View& view) override;
  [[nodiscard]] double next_start_s(const View& view, Transaction& transaction) final;
  template <class Archive>
  void serialize(Archive& archive, unsigned /*version*/) {
    if (!own_order_) return;
    std::vector<double> numbers = own_order_->state();
    (archive & numbers);
    if (own_order_->observes_ends()) (archive & active_);
    if constexpr (Archive::is_loading::value) own_order_->restore(numbers);
  }

 protected:
  /// Fills `ordered_` with the jobs of interest in their order, those that have starved first, and `staying_`.
  void put_in_order(const View& view, Transaction& transaction);
  /// Whether the times at which decisions change by themselves cannot be predicted, so that every boundary is visited.
  [[nodiscard]] virtual bool may_change_any_time() const;
  /// Whether the order has to see jobs that run while none waits, or that none is left.
  [[nodiscard]] bool observes_running() const {
    return own_order_ && (state_.running.size() > 0 || (own_order_->observes_ends() && !active_.empty()));
  }
  /// When a job may get its turn by the clocks of the scheduler alone; only asked while nothing runs.
  [[nodiscard]] virtual double next_turn_s(const View& view) const;
  [[nodiscard]] bool stays(JobId job) const { return std::binary_search(staying_.begin(), staying_.end(), job); }
  [[nodiscard]] bool backfills() const { return state_.world.engine.backfill != Backfill::none; }

  PartitionState& state_;
  const std::unique_ptr<OrderPolicy> own_order_;  // of an order that keeps a state
  const OrderPolicy& order_;
  PlacementPolicy& placement_;
  std::vector<JobId> ordered_;
  std::vector<JobId> staying_;  // running jobs that the order keeps where they are, by ascending id

 private:
  void observe(const View& view);

  std::vector<JobId> active_;  // at the last observation of an order with a state
};

}  // namespace palstudy
