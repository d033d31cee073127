// SPDX-License-Identifier: MIT
#pragma once

#include "sim/state/scheduler.hpp"

namespace palstudy {

/// Optimus (EuroSys'18), as ported in Pollux's artifact: at every boundary each job gets a GPU, and each further one
/// goes where it saves most time. Jobs keep their batch. It knows how much work they have left, and no GPU's slowness.
class OptimusScheduler final : public Scheduler {
 public:
  explicit OptimusScheduler(const SchedulerContext& context) : state_(context.state) {}

  [[nodiscard]] bool idle() const override { return state_.queue.empty() && state_.running.size() == 0; }
  void decide(const View& view, Transaction& transaction) override;
  /// What jobs save changes as they go on.
  [[nodiscard]] double next_change_s(const View& view) override;

 private:
  PartitionState& state_;
};

}  // namespace palstudy
