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
/// effects for their rates, and records them. Whatever happens to GPUs that no job of the partition has passes through
/// here to the effects and the observers.
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

  /// Time moves on: called first at every instant.
  void instant(double now_s);
  /// Passes the states that nodes have left on to the observers.
  void nodes_left(const Changes& changes);

  /// A job on several partitions gets its part of this one, holds it for a time at one rate, and leaves it.
  void part_taken(JobId job, const GpuSet& part);
  void part_ran(const EndedInterval& interval, const HeldPart& part);
  void part_given(JobId job, const GpuSet& part);
  /// How much the part feels here, which the effects of the job are told as the most of all its parts.
  [[nodiscard]] double part_feels(JobId job, const GpuSet& part) const;
  void feels(JobId job, double most);

  [[nodiscard]] const Effects& effects() const { return effects_; }
  [[nodiscard]] Recorder& recorder() { return recorder_; }
  [[nodiscard]] const Recorder& recorder() const { return recorder_; }
  /// Ends the record of the run; every interval has ended.
  [[nodiscard]] PartitionRecord close(double end_s, double horizon_s);
  void serialize(auto& archive, unsigned /*version*/) {
    for (const auto& effect : effects_) effect->state(archive);
    for (const auto& observer : observers_) observer->state(archive);
    (archive & recorder_);
  }

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

/// The effects of a run in their order, those that are registered made by `make`, if they have one:
/// `EffectMaker::make`, or `make_wide`.
[[nodiscard]] Intervals::Effects make_effects(PartitionState& state, Attempts& attempts,
                                              EffectMaker::Make EffectMaker::*make);

}  // namespace palstudy
