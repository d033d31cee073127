// SPDX-License-Identifier: MIT
// Attempts that fail: what is drawn when one starts, when it ends for that, and what is left of its work.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "sim/engine/partition.hpp"

namespace palstudy {

/// Whether a job whose attempt has failed gets GPUs again.
bool Partition::tried_again(JobId id) const {
  const AttemptModel& model = world_.failures->model;
  const std::uint32_t number = attempts_.number[id.index()];
  const std::int32_t reason = attempts_.reason[id.index()];
  if (!model.tried_again(number, reason)) return false;
  return !model.turned_away(world_.workload.jobs[id.index()], number, reason, [](std::uint32_t, const Ending&) {});
}

/// Of a job that wants GPUs: its next attempts fail on the one GPU of the validation as long as that shows why. True if
/// none is left. `told`: this is written down.
bool Partition::validate(double now_s, JobId id, bool told) {
  const std::size_t j = id.index();
  const auto fails_there = [&](std::uint32_t number, const Ending& ending) {
    attempts_.number[j] = number;
    attempts_.last_reason[j] = ending.reason;
    rows_.records[j].attempts = number;
    if (told) recorder_.attempt_failed({id, number, ending.reason, 0, -1, -1, now_s, ending.run_s, ending.run_s});
  };
  return world_.failures->model.turned_away(world_.workload.jobs[j], attempts_.number[j], attempts_.last_reason[j],
                                            fails_there);
}

/// Whether a job that arrives is over at once.
bool Partition::turned_away(double now_s, JobId id) {
  if (!validate(now_s, id, true)) return false;
  rows_.rows.status[id.index()] = JobStatus::unsuccessful;
  recorder_.end_waiting(now_s, id);
  told_late_ = world_.partitioning.partitions() > 1;
  table_.state[id.index()] = JobState::finished;
  return true;
}

/// Draws how the attempt ends, unless one is under way. How prone to faults a job's GPUs are is the mean over them, so
/// that the shares by size of job stay what they are; the one at fault is drawn among them by their factors.
void Partition::begin_attempt(JobId id, const GpuSet& gpus) {
  const std::size_t j = id.index();
  if (attempts_.under_way[j] != 0) return;
  const auto& [model, places] = *world_.failures;
  const Job& job = world_.workload.jobs[j];
  double sum = 0;
  const auto of_each = [&](auto use) {
    for (const NodeGpus& part : gpus) {
      const std::uint32_t first = site_.first_gpu.value + site_.topology.first_gpu(part.node).value;
      for (GpuMask rest = part.mask; rest != 0; rest &= rest - 1) {
        use(first + static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
  };
  if (places.faults() == Faults::job) {
    sum = job.gpus;
  } else {
    of_each([&](std::uint32_t gpu) { sum += places.factor(gpu); });
  }
  const std::uint32_t number = ++attempts_.number[j];
  const Ending ending = model.ending(job, number, attempts_.last_reason[j], sum / job.gpus);
  attempts_.under_way[j] = 1;
  attempts_.reason[j] = ending.reason;
  attempts_.run_s[j] = ending.run_s;
  attempts_.ran_s[j] = attempts_.undone_s[j] = 0;
  attempts_.work_until[j] = job.iterations * model.share_until_killed(job);
  attempts_.node[j] = attempts_.gpu[j] = -1;
  rows_.records[j].attempts = number;
  if (!ending.fails() || !model.reason(ending.reason).of_place || places.faults() == Faults::job) return;
  double left = model.place_of_fault(job, number) * sum;
  std::int64_t at_fault = -1;
  of_each([&](std::uint32_t gpu) {
    if (at_fault >= 0 && left < 0) return;
    at_fault = gpu;
    left -= places.factor(gpu);
  });
  attempts_.node[j] = world_.topology.node_of(GpuId(static_cast<std::uint32_t>(at_fault))).value;
  if (places.faults() == Faults::gpu) attempts_.gpu[j] = at_fault;
}

/// A segment ends when the attempt fails, if that is before its work is done. Where completions are counted at
/// boundaries, so are failures.
void Partition::limit_to_attempt(std::uint32_t slot) {
  const std::size_t j = running_.job[slot].index();
  attempts_.fails_first[j] = 0;
  if (attempts_.reason[j] == Ending::none) return;
  double fail_s = running_.pace[slot].launched_s + std::max(0.0, attempts_.run_s[j] - attempts_.ran_s[j]);
  if (world_.engine.completion == Completion::round) {
    const double round_s = world_.engine.round_s;
    const Boundary at =
        std::max(boundary_at_or_after(fail_s, round_s), boundary_after(running_.pace[slot].launched_s, round_s));
    fail_s = at == never ? infinity : boundary_s(at, round_s);
  }
  const bool late = !(fail_s < running_.finish.at(slot));
  if (late && !world_.failures->model.options().late_fails) return;
  attempts_.fails_first[j] = 1;
  if (!late) running_.finish.set(slot, fail_s);
}

/// A job that starts or is moved has saved all that it did, and saves its work from then on.
void Partition::begin_saving(std::uint32_t slot) {
  if (!fails()) return;
  const std::size_t j = running_.job[slot].index();
  attempts_.began_s[j] = running_.pace[slot].launched_s;
  attempts_.saves_from_s[j] = running_.pace[slot].segment.from_s;
  attempts_.saved_work[j] = running_.pace[slot].segment.work;
}

/// When a job that runs up to `end_s` last saved its work: every `checkpoint_s`, or as it began.
double Partition::saved_before(double end_s, JobId id) const {
  const std::size_t j = id.index();
  const double every_s = world_.failures->model.options().checkpoint_s, from_s = attempts_.saves_from_s[j];
  if (every_s == 0) return end_s;
  if (every_s == infinity || end_s <= from_s) return attempts_.began_s[j];
  const double saved_s = from_s + std::floor((end_s - from_s) / every_s) * every_s;
  return saved_s > from_s ? std::min(saved_s, end_s) : attempts_.began_s[j];
}

/// What it saved then. The rate may have changed since.
double Partition::work_saved(double saved_s, std::uint32_t slot) const {
  const JobId id = running_.job[slot];
  if (saved_s < running_.pace[slot].launched_s) return attempts_.saved_work[id.index()];
  return progress_.work_at(running_.pace[slot].segment, saved_s);
}

/// A stretch ends at which the job did so much work and keeps it.
void Partition::settle_attempt(double end_s, std::uint32_t slot, double work) {
  const JobId id = running_.job[slot];
  attempts_.ran(id, end_s - running_.pace[slot].launched_s, work - running_.pace[slot].segment.work);
  attempts_.saved_work[id.index()] = std::min(work, work_saved(saved_before(end_s, id), slot));
}

/// Settles what is left of a job that leaves its GPUs without having saved its work: that up to the last checkpoint;
/// without checkpoints nothing, whatever it had kept before. Gives the run time that was for nothing.
double Partition::undo_since_checkpoint(double end_s, std::uint32_t slot) {
  const JobId id = running_.job[slot];
  const std::size_t j = id.index();
  const double begin_s = running_.pace[slot].launched_s, done = running_.pace[slot].segment.work;
  const double full = std::min(attempts_.work_until[j], progress_.work_at(running_.pace[slot].segment, end_s));
  // Who fails at the end of the work has something to do again: a second, or the round in which it came to that end.
  const double least_s = world_.engine.completion == Completion::round ? world_.engine.round_s : 1.0;
  const bool done_all = progress_.finish_s(running_.pace[slot].segment, attempts_.work_until[j]) <= end_s;
  const double saved_s = done_all ? std::min(saved_before(end_s, id), std::max(attempts_.began_s[j], end_s - least_s))
                                  : saved_before(end_s, id);
  const bool anew = world_.failures->model.options().checkpoint_s == infinity;
  const double kept = anew ? 0.0 : std::min(full, work_saved(saved_s, slot));
  const auto stretch = [&](double from_s, double to_s, double work) { record_stretch(slot, from_s, to_s, work); };
  if (saved_s > begin_s && saved_s < end_s) {
    // Two stretches, since what was for nothing is no work; a run that ends in between counts what it should.
    stretch(begin_s, saved_s, kept - done);
    recorder_.go_on(saved_s, id);
    stretch(saved_s, end_s, 0.0);
  } else {
    stretch(begin_s, end_s, kept - done);
  }
  note_place(end_s, slot);
  attempts_.ran(id, end_s - begin_s, full - done);
  attempts_.undone[j] += full - kept;
  running_.pace[slot].segment.work = kept;
  touched_ = true;
  const double loss_s = anew ? attempts_.unsaved_s(id) : end_s - saved_s;
  if (anew) attempts_.undone_s[j] = attempts_.ran_s[j];
  attempts_.longest_loss_s[j] = std::max(attempts_.longest_loss_s[j], loss_s);
  return loss_s;
}

void Partition::end_failed_stretch(double end_s, std::uint32_t slot) {
  const JobId id = running_.job[slot];
  const std::size_t j = id.index();
  const std::uint32_t gpus = world_.workload.jobs[j].gpus;
  const double loss_s = undo_since_checkpoint(end_s, slot);
  const double lost_s =
      tried_again(id) ? gpus * loss_s : gpus * running_.holds[slot].sums.exec_s - attempts_.lost_gpu_s[j];
  attempts_.lost_gpu_s[j] += lost_s;
  recorder_.attempt_failed({id, attempts_.number[j], attempts_.reason[j], gpus, attempts_.node[j], attempts_.gpu[j],
                            end_s, attempts_.ran_s[j], lost_s});
  attempts_.last_reason[j] = attempts_.reason[j];
  attempts_.under_way[j] = attempts_.fails_first[j] = 0;
}

/// Whether jobs that are stopped are stopped for another tenant, which nobody asks them before.
bool Partition::reclaimed() const { return fails() && tenancy_ && tenancy_->rules.preempts(); }

/// A job that is stopped for another tenant goes on with its attempt, from its last checkpoint.
void Partition::end_reclaimed_stretch(double end_s, std::uint32_t slot) {
  const JobId id = running_.job[slot];
  const std::size_t j = id.index();
  const std::uint32_t gpus = world_.workload.jobs[j].gpus;
  const double lost_s = gpus * undo_since_checkpoint(end_s, slot);
  attempts_.lost_gpu_s[j] += lost_s;
  const std::int32_t reason = world_.failures->model.preempted();
  if (reason == Ending::none) return;  // a table without such a row
  recorder_.attempt_failed({id, attempts_.number[j], reason, gpus, -1, -1, end_s, attempts_.ran_s[j], lost_s});
}

/// What becomes of a job that is over; if its last attempt failed, those that only validation saw are written down,
/// too.
void Partition::set_status(double now_s, JobId id, bool failed) {
  const AttemptModel& model = world_.failures->model;
  const std::size_t j = id.index();
  if (failed && model.tried_again(attempts_.number[j], attempts_.last_reason[j])) (void)validate(now_s, id, true);
  rows_.rows.status[j] = failed                                  ? JobStatus::unsuccessful
                         : model.killed(world_.workload.jobs[j]) ? JobStatus::killed
                                                                 : JobStatus::passed;
}

/// The work of a job is all that it ever did less what failures have undone, and none has undone more than what was
/// done since the checkpoint before. For debug builds.
void Partition::check_attempts(double now_s) const {
  const double every_s = world_.failures->model.options().checkpoint_s;
  const auto must = [&](bool true_thing, const char* what, JobId job) {
    if (true_thing) return;
    throw fault(fmt::format("{} at {} s", what, now_s),
                fmt::format("job {} of partition {}", world_.workload.jobs[job.index()].id, site_.id.value));
  };
  std::vector<JobId> jobs = queue_.waiting();
  jobs.insert(jobs.end(), running_.job.begin(), running_.job.end());
  for (const JobId job : jobs) {
    const std::size_t j = job.index();
    const double balance = attempts_.credited[j] - attempts_.undone[j];
    const double done =
        table_.running(job) ? running_.pace[running_.slot_of(job)].segment.work : table_.course[j].work_done;
    must(std::abs(balance - done) <= 1e-9 * (1 + attempts_.credited[j]), "work is lost or done twice", job);
    must(attempts_.undone[j] <= attempts_.credited[j] * (1 + 1e-9), "more is undone than was done", job);
    must(attempts_.longest_loss_s[j] <= (every_s + world_.engine.migration_s + world_.engine.round_s + 1) * (1 + 1e-9),
         "more is lost than since the last checkpoint", job);
    must(attempts_.under_way[j] != 0 || !table_.running(job), "a job runs without an attempt", job);
  }
}

}  // namespace palstudy
