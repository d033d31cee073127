// SPDX-License-Identifier: MIT
#include "sim/effects/failures/failure_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"

namespace palstudy {

/// Whether a job whose attempt has failed gets GPUs again.
bool FailureRules::tried_again(JobId id) const {
  const std::uint32_t number = attempts_.number[id.index()];
  const std::int32_t reason = attempts_.reason[id.index()];
  if (!model().tried_again(number, reason)) return false;
  return !model().turned_away(job_of(id), number, reason, [](std::uint32_t, const Ending&) {});
}

/// The next attempts of a job that wants GPUs fail on the one GPU of the validation as long as that shows why. True if
/// none is left.
bool FailureRules::validate(double now_s, JobId id, bool recorded) {
  const std::size_t j = id.index();
  const auto fails_there = [&](std::uint32_t number, const Ending& ending) {
    attempts_.number[j] = number;
    attempts_.last_reason[j] = ending.reason;
    job_rows_.records[j].attempts = number;
    if (recorded) rows_.push_back({id, number, ending.reason, 0, -1, -1, now_s, ending.run_s, ending.run_s});
  };
  return model().turned_away(job_of(id), attempts_.number[j], attempts_.last_reason[j], fails_there);
}

bool FailureRules::admits(JobId id, double now_s) {
  if (!validate(now_s, id, true)) return true;
  job_rows_.rows.status[id.index()] = JobStatus::unsuccessful;
  return false;
}

void FailureRules::moved_in(JobId id, double arrival_s) {
  attempts_.forget(id);
  (void)validate(arrival_s, id, false);
}

/// If the last attempt failed, those that only validation saw are recorded, too.
void FailureRules::job_ended(JobId id, double time_s, EndReason reason) {
  const std::size_t j = id.index();
  const bool failed = reason == EndReason::failed;
  if (failed && model().tried_again(attempts_.number[j], attempts_.last_reason[j])) (void)validate(time_s, id, true);
  job_rows_.rows.status[j] = failed                       ? JobStatus::unsuccessful
                             : model().killed(job_of(id)) ? JobStatus::killed
                                                          : JobStatus::passed;
}

/// How prone to faults a job's GPUs are is the mean over them, so that the shares by size of job stay what they are;
/// the one at fault is drawn among them by their factors.
void FailureRules::start(JobId id, std::span<const std::uint32_t> gpus) {
  const std::size_t j = id.index();
  if (under_way(id)) return;
  const FaultyPlaces& places = world_.failures->places;
  const Job& job = job_of(id);
  double sum = 0;
  if (places.faults() == Faults::job) {
    sum = job.gpus;
  } else {
    for (const std::uint32_t gpu : gpus) sum += places.factor(gpu);
  }
  const std::uint32_t number = ++attempts_.number[j];
  const Ending ending = model().ending(job, number, attempts_.last_reason[j], sum / job.gpus);
  attempts_.under_way[j] = 1;
  attempts_.reason[j] = ending.reason;
  attempts_.run_s[j] = ending.run_s;
  attempts_.ran_s[j] = attempts_.undone_s[j] = 0;
  attempts_.work_until[j] = job.iterations * model().share_until_killed(job);
  attempts_.node[j] = attempts_.gpu[j] = -1;
  job_rows_.records[j].attempts = number;
  if (!ending.fails() || !model().reason(ending.reason).of_place || places.faults() == Faults::job) return;
  choose_place_at_fault(id, gpus, number, sum);
}

void FailureRules::choose_place_at_fault(JobId id, std::span<const std::uint32_t> gpus, std::uint32_t number,
                                         double sum) {
  const FaultyPlaces& places = world_.failures->places;
  double left = model().place_of_fault(job_of(id), number) * sum;
  std::int64_t at_fault = -1;
  for (const std::uint32_t gpu : gpus) {
    if (at_fault >= 0 && left < 0) break;
    at_fault = gpu;
    left -= places.factor(gpu);
  }
  const auto gpu = GpuId(static_cast<std::uint32_t>(at_fault));
  attempts_.node[id.index()] = world_.topology.node_of(gpu).value;
  if (places.faults() == Faults::gpu) attempts_.gpu[id.index()] = at_fault;
}

/// The interval ends when the attempt fails, if that is before its work is done. Where completions are counted at
/// boundaries, so are failures.
double FailureRules::end_s(JobId id, double launched_s, double finish_s) {
  const std::size_t j = id.index();
  attempts_.fails_first[j] = 0;
  if (attempts_.reason[j] == Ending::none) return finish_s;
  double fail_s = launched_s + std::max(0.0, attempts_.run_s[j] - attempts_.ran_s[j]);
  const EngineOptions& engine = world_.engine;
  if (engine.completion == Completion::round) {
    fail_s = engine.rounds().time_s(engine.rounds().due_after(launched_s, fail_s));
  }
  const bool late = !(fail_s < finish_s);
  if (late && !model().options().late_fails) return finish_s;
  attempts_.fails_first[j] = 1;
  return late ? finish_s : fail_s;
}

EndReason FailureRules::end_reason(JobId id) const {
  if (attempts_.fails_first[id.index()] == 0) return EndReason::finished;
  return tried_again(id) ? EndReason::failed_again : EndReason::failed;
}

void FailureRules::began(JobId id, double launched_s, const Segment& segment) {
  const std::size_t j = id.index();
  attempts_.began_s[j] = launched_s;
  attempts_.saves_from_s[j] = segment.from_s;
  attempts_.saved_work[j] = segment.work;
}

/// When a job that runs up to `end_s` last saved its work: every `checkpoint_s`, or as it began.
double FailureRules::saved_before(double end_s, JobId id) const {
  const std::size_t j = id.index();
  const double every_s = model().options().checkpoint_s, from_s = attempts_.saves_from_s[j];
  if (every_s == 0) return end_s;
  if (every_s == infinity || end_s <= from_s) return attempts_.began_s[j];
  const double saved_s = from_s + std::floor((end_s - from_s) / every_s) * every_s;
  return saved_s > from_s ? std::min(saved_s, end_s) : attempts_.began_s[j];
}

/// What it saved then. The rate may have changed since.
double FailureRules::work_saved(double saved_s, const EndedInterval& interval, const Segment& segment) const {
  if (saved_s < interval.begin_s) return attempts_.saved_work[interval.job.index()];
  return progress_.work_at(segment, saved_s);
}

void FailureRules::ends(EndedInterval& interval, const Segment& segment) {
  const bool failed = interval.reason == EndReason::failed || interval.reason == EndReason::failed_again;
  if (failed || interval.reason == EndReason::reclaimed) return undo_since_checkpoint(interval, segment);
  const auto& [slot, id, reason, begin_s, end_s, before, work, kept_until_s] = interval;
  attempts_.ran(id, end_s - begin_s, work - before);
  attempts_.saved_work[id.index()] = std::min(work, work_saved(saved_before(end_s, id), interval, segment));
}

/// A job that leaves its GPUs without having saved its work keeps that up to the last checkpoint; without checkpoints
/// nothing, whatever it had kept before.
void FailureRules::undo_since_checkpoint(EndedInterval& interval, const Segment& segment) {
  const auto& [slot, id, reason, begin_s, end_s, done, work, kept_until_s] = interval;
  const std::size_t j = id.index();
  const double full = std::min(attempts_.work_until[j], progress_.work_at(segment, end_s));
  // A job that fails at the end of its work has something to do again: a second, or the round of that end.
  const EngineOptions& engine = world_.engine;
  const double least_s = engine.completion == Completion::round ? engine.round_s : 1.0;
  const bool done_all = progress_.finish_s(segment, attempts_.work_until[j]) <= end_s;
  const double saved_s = done_all ? std::min(saved_before(end_s, id), std::max(attempts_.began_s[j], end_s - least_s))
                                  : saved_before(end_s, id);
  const bool from_start = model().options().checkpoint_s == infinity;
  const double kept = from_start ? 0.0 : std::min(full, work_saved(saved_s, interval, segment));
  attempts_.ran(id, end_s - begin_s, full - done);
  attempts_.undone[j] += full - kept;
  loss_s_ = from_start ? attempts_.unsaved_s(id) : end_s - saved_s;
  if (from_start) attempts_.undone_s[j] = attempts_.ran_s[j];
  attempts_.longest_loss_s[j] = std::max(attempts_.longest_loss_s[j], loss_s_);
  interval.work = kept;
  interval.kept_until_s = saved_s;
}

/// The failed attempt, with all that was for nothing. A job that is stopped for another tenant goes on with its
/// attempt, from its last checkpoint.
void FailureRules::ended(const EndedInterval& interval, double exec_s) {
  const JobId id = interval.job;
  const std::size_t j = id.index();
  const std::uint32_t gpus = job_of(id).gpus;
  if (interval.reason == EndReason::reclaimed) {
    const double lost_s = gpus * loss_s_;
    attempts_.lost_gpu_s[j] += lost_s;
    const std::int32_t preemption = model().preemption_reason();
    if (preemption == Ending::none) return;  // a table without such a row
    rows_.push_back({id, attempts_.number[j], preemption, gpus, -1, -1, interval.end_s, attempts_.ran_s[j], lost_s});
  } else if (interval.reason == EndReason::failed || interval.reason == EndReason::failed_again) {
    const bool again = interval.reason == EndReason::failed_again;
    const double lost_s = again ? gpus * loss_s_ : gpus * exec_s - attempts_.lost_gpu_s[j];
    attempts_.lost_gpu_s[j] += lost_s;
    rows_.push_back({id, attempts_.number[j], attempts_.reason[j], gpus, attempts_.node[j], attempts_.gpu[j],
                     interval.end_s, attempts_.ran_s[j], lost_s});
    attempts_.last_reason[j] = attempts_.reason[j];
    attempts_.under_way[j] = attempts_.fails_first[j] = 0;
  }
}

/// The work of a job is all that it ever did less what failures have undone, and none has undone more than what was
/// done since the checkpoint before.
void FailureRules::check(double now_s, JobId id, double work, bool runs) const {
  const EngineOptions& engine = world_.engine;
  const double every_s = model().options().checkpoint_s;
  const std::size_t j = id.index();
  const auto must = [&](bool true_thing, const char* what) {
    if (true_thing) return;
    throw fault(fmt::format("{} at {} s", what, now_s),
                fmt::format("job {} of partition {}", job_of(id).id, job_rows_.rows.partition[j]));
  };
  const double balance = attempts_.credited[j] - attempts_.undone[j];
  must(std::abs(balance - work) <= 1e-9 * (1 + attempts_.credited[j]), "work is lost or done twice");
  must(attempts_.undone[j] <= attempts_.credited[j] * (1 + 1e-9), "more is undone than was done");
  must(attempts_.longest_loss_s[j] <= (every_s + engine.migration_s + engine.round_s + 1) * (1 + 1e-9),
       "more is lost than since the last checkpoint");
  must(attempts_.under_way[j] != 0 || !runs, "a job runs without an attempt");
}

}  // namespace palstudy
