// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "sim/state/effect.hpp"
#include "sim/state/expected_time.hpp"

namespace palstudy {
namespace {

/// Jobs that outlive their expected end are over then, whatever is left of their work.
class Overruns final : public Effect {
 public:
  explicit Overruns(PartitionState& state) : state_(state), expected_(state) {}

  [[nodiscard]] double end_s(std::uint32_t slot, double finish_s) override;
  [[nodiscard]] EndReason end_reason(JobId job) const override;
  void ends(EndedInterval& interval) override;
  void job_ended(JobId job, double time_s, EndReason reason) override;

 private:
  [[nodiscard]] double limit_s(std::uint32_t slot) const;

  PartitionState& state_;
  const ExpectedTime expected_;
};

/// Where completions are counted at boundaries, so are these ends. A job that gets GPUs on which it should be over
/// already, since it was stopped or the estimate is that of faster GPUs, has as much longer as any that outlives its
/// expected end: it would be over before the GPUs that it has just got are its own.
double Overruns::limit_s(std::uint32_t slot) const {
  const EngineOptions& engine = state_.world.engine;
  const JobId job = state_.running.job[slot];
  const double launched_s = state_.running.progress[slot].launched_s;
  const double end_s = engine.limit_checks.killed_s(state_.table.course(job).held_since_s,
                                                    expected_.left_s(job, state_.running.allocation[slot].gpus));
  if (engine.completion == Completion::exact) return end_s > launched_s ? end_s : expected_.extended_s(launched_s);
  return engine.rounds().time_s(engine.rounds().due_after(launched_s, end_s));
}

double Overruns::end_s(std::uint32_t slot, double finish_s) { return std::min(finish_s, limit_s(slot)); }

/// The job is due.
EndReason Overruns::end_reason(JobId job) const {
  const std::uint32_t slot = state_.running.slot_of(job);
  const JobProgress& progress = state_.running.progress[slot];
  const bool done = state_.work.finish_s(progress.segment, progress.iterations) <= state_.running.finish.at(slot);
  return done ? EndReason::finished : EndReason::killed;
}

void Overruns::ends(EndedInterval& interval) {
  if (interval.reason != EndReason::killed) return;
  interval.work = state_.work.work_at(state_.running.progress[interval.slot].segment, interval.end_s);
}

void Overruns::job_ended(JobId job, double time_s, EndReason reason) {
  (void)time_s;
  if (reason == EndReason::killed) state_.rows.rows.status[job.index()] = JobStatus::killed;
}

std::unique_ptr<Effect> make_overruns(PartitionState& state, Attempts&) { return std::make_unique<Overruns>(state); }

}  // namespace

void register_effect_overruns(EffectRegistry& registry) {
  registry.add({"overruns",
                "Jobs that outlive their expected end are killed: `policy.overrun`.",
                {},
                {.place = 5,
                 .used = [](const World& world) { return world.engine.kills_overruns; },
                 .make = make_overruns,
                 .make_wide = make_overruns}});
}

}  // namespace palstudy
