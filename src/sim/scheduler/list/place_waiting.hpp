// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "sim/scheduler/list/backfilling.hpp"
#include "sim/scheduler/list/list_scheduler.hpp"
#include "sim/scheduler/list/migration.hpp"

namespace palstudy {

/// For sticky placements: places the waiting jobs and leaves running ones where they are, but for those that an order
/// with preemption stops for jobs before them and those that a migration moves.
class PlaceWaiting final : public WithState<PlaceWaiting, ListScheduler> {
 public:
  explicit PlaceWaiting(const SchedulerContext& context);

  [[nodiscard]] bool wants_events() const override { return backfilling_.has_value(); }
  void notify(const JobEvent& event) override;
  void capacity_changed() override;
  [[nodiscard]] bool idle() const override;
  void decide(const View& view, Transaction& transaction) override;
  [[nodiscard]] double next_change_s(const View& view) override;
  [[nodiscard]] double next_instant_s(const View& view) override;
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & static_cast<ListScheduler&>(*this));
    if (backfilling_) (archive & *backfilling_);
  }

 protected:
  [[nodiscard]] bool may_change_any_time() const override;
  [[nodiscard]] double next_turn_s(const View& view) const override;

 private:
  void place(const View& view, Transaction& transaction);
  bool place_by_stopping(const View& view, Transaction& transaction, std::size_t position);

  Migration migration_;
  std::optional<Backfilling> backfilling_;  // with reservations
  std::vector<JobId> victims_;
};

}  // namespace palstudy
