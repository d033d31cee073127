// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "sim/observers/recorder.hpp"
#include "sim/state/effect.hpp"
#include "sim/state/observer.hpp"
#include "sim/state/partition_state.hpp"

namespace palstudy {

/// The intervals in which the jobs of a partition hold the same GPUs at one rate: begins and ends them, asks the
/// effects for their rates, and records them.
class Intervals {
 public:
  using Effects = std::vector<std::unique_ptr<Effect>>;
  using Observers = std::vector<std::unique_ptr<Observer>>;
  Intervals(PartitionState& state, Effects effects, Observers observers);

  /// Work begins at `from_s`, where the last segment ended.
  void begin(double now_s, std::uint32_t slot, double from_s, const SlowdownAndPenalty& factors);
  /// Settles the work that a job did in the interval which ends.
  void end(double end_s, std::uint32_t slot, EndReason reason);
  /// A running job goes on at the rate that it has now; a migration that is under way goes on.
  void change_rate(double now_s, JobId job);

  /// Passes the states that nodes have left on to the observers.
  void nodes_left(const Changes& changes);

  [[nodiscard]] const Effects& effects() const { return effects_; }
  [[nodiscard]] Recorder& recorder() { return recorder_; }
  [[nodiscard]] const Recorder& recorder() const { return recorder_; }
  /// Ends the record of the run; every interval has ended.
  [[nodiscard]] PartitionRecord close(double end_s, double horizon_s);
  void serialize(Fields& f);

 private:
  [[nodiscard]] double work_limit(std::uint32_t slot) const;
  [[nodiscard]] Rate rate(std::uint32_t slot, const SlowdownAndPenalty& factors) const;
  void end_with_effects(EndedInterval& interval);
  void record(std::uint32_t slot, double begin_s, double end_s, double work);

  PartitionState& state_;
  Effects effects_;  // none in a plain run
  Observers observers_;
  Recorder recorder_;
};

}  // namespace palstudy
