// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "sim/effects/failures/attempts.hpp"
#include "sim/state/effect.hpp"
#include "sim/state/progress.hpp"
#include "sim/state/run_rows.hpp"

namespace palstudy {

/// The rules of attempts that fail: what is drawn when an
/// attempt starts, when it ends for that, how much of its work is kept, and the rows of failed attempts.
class FailureRules {
 public:
  /// `attempts`: of all jobs, shared by the partitions of a rank. Everything given must outlive it.
  FailureRules(const World& world, Attempts& attempts, RunRows& rows)
      : world_(world), attempts_(attempts), job_rows_(rows), progress_(world.engine.completion, world.engine.round_s) {}

  /// A job arrives. False: validation turns it away, and it is over already.
  [[nodiscard]] bool admits(JobId job, double now_s);
  /// A job comes from the queue of another partition. Its attempts may be known to another rank alone.
  void moved_in(JobId job, double arrival_s);
  /// A job whose attempt has failed waits again.
  void waits_again(JobId job, double now_s) { (void)validate(now_s, job, true); }
  void job_ended(JobId job, double time_s, EndReason reason);

  [[nodiscard]] bool under_way(JobId job) const { return attempts_.under_way[job.index()] != 0; }
  /// A job gets GPUs: draws how the attempt ends, unless one is under way. `gpus`: where faults are of places, those of
  /// the job, ascending by their ids in the cluster; else they may be missing.
  void start(JobId job, std::span<const std::uint32_t> gpus);
  /// Iterations after which a job that does not fail is over.
  [[nodiscard]] double work_limit(JobId job) const { return attempts_.work_until[job.index()]; }
  /// When a job leaves the GPUs that it has held at one rate since `launched_s`; `finish_s` if it does not fail.
  [[nodiscard]] double end_s(JobId job, double launched_s, double finish_s);
  /// The reason for which it leaves them then.
  [[nodiscard]] EndReason end_reason(JobId job) const;
  /// A job that starts or is moved has saved all that it did, and saves its work from then on.
  void began(JobId job, double launched_s, const Segment& segment);
  /// An interval of a job ends, before it is recorded: undoes what was not saved. `segment`: the one that ends.
  void ends(EndedInterval& interval, const Segment& segment);
  /// The interval has been recorded, after which the job has held GPUs for `exec_s` in all.
  void ended(const EndedInterval& interval, double exec_s);

  /// The failed attempts so far.
  [[nodiscard]] FailureRows& rows() { return rows_; }
  [[nodiscard]] const FailureRows& rows() const { return rows_; }
  /// Errors (fault): a job with `work` iterations done whose account of work does not add up.
  void check(double now_s, JobId job, double work, bool runs) const;

 private:
  [[nodiscard]] const AttemptModel& model() const { return world_.failures->model; }
  [[nodiscard]] const Job& job_of(JobId job) const { return world_.workload.jobs[job.index()]; }
  [[nodiscard]] bool tried_again(JobId job) const;
  bool validate(double now_s, JobId job, bool recorded);
  void choose_place_at_fault(JobId job, std::span<const std::uint32_t> gpus, std::uint32_t number, double sum);
  [[nodiscard]] double saved_before(double end_s, JobId job) const;
  [[nodiscard]] double work_saved(double saved_s, const EndedInterval& interval, const Segment& segment) const;
  void undo_since_checkpoint(EndedInterval& interval, const Segment& segment);

  const World& world_;
  Attempts& attempts_;
  RunRows& job_rows_;
  Progress progress_;
  FailureRows rows_;
  double loss_s_ = 0;  // run time that the interval which ends has lost
};

}  // namespace palstudy
