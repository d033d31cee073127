// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/result.hpp"
#include "sim/state/run_rows.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// A stretch for which a job held GPUs.
struct Stretch {
  JobId job;
  double begin_s = 0, end_s = 0;
  double slowdown = 1, penalty = 1;
  double work_s = 0;        ///< progress made in it, in seconds at slowdown 1 and penalty 1
  std::uint32_t width = 0;  ///< GPUs of the job
  bool measured = false;
};

/// What one partition has to say of a run beside the rows of its jobs. GPU-seconds are those up to the makespan, or to
/// the end of the run.
struct PartitionRecord {
  EventRows events;
  RoundRows rounds;
  FailureRows failures;
  std::vector<double> node_busy_s;  ///< by node of the partition: GPU-seconds allocated
  double allocated_s = 0, busy_s = 0, effective_s = 0;
  double queue_moment = 0;  ///< of the queue length about the middle of the measured window
  double job_s = 0;         ///< area under the number of jobs in the partition, queued or running, up to the end
  EngineCounts counts;
  DelayRows delays;  ///< none without tenants
};

/// Writes down what happens in one partition, and sums it up. Only reads the engine; areas under curves are integrals
/// over time, never means over the instants that happened to be visited.
class Recorder {
 public:
  /// Of a partition whose nodes and GPUs begin there; sets of GPUs are given by the partition's own ids.
  Recorder(const World& world, RunRows& rows, const Topology& topology, GpuId first_gpu);

  /// Time moves on to `time_s`: called first at every instant.
  void instant(double time_s) { now_s_ = time_s; }
  void launch(double time_s, JobId job, const GpuSet& gpus, bool moved);
  /// A running job goes on, on other GPUs.
  void move(double time_s, JobId job, std::uint32_t width, const GpuSet& gpus, JobSums& sums);
  /// A part of the GPUs of a job on several partitions; the rows are written by `started`.
  void launch_part(double time_s, JobId job, const GpuSet& gpus);
  void started(double time_s, JobId job, bool moved);
  void stop(double time_s, JobId job);
  void finish(double time_s, JobId job);
  /// A job is over that held no GPUs then.
  void end_waiting(double time_s, JobId job);
  /// An attempt has failed, and the job waits again.
  void fail(double time_s, JobId job);
  void attempt_failed(const FailedAttempt& failed) { record_.failures.push_back(failed); }
  /// `sums` are those of the job, wherever they are for now.
  void stretch(const Stretch& stretch, const GpuSet& gpus, JobSums& sums);
  /// Of a job on several partitions, whose GPUs are `held`.
  void stretch(const Stretch& stretch_of) { stretch(stretch_of, {}, rows_.records[stretch_of.job.index()].sums); }
  /// GPUs of this partition that a job on several has held for so long.
  void held(const GpuSet& gpus, double length_s);
  /// GPUs that a job has held idle, waiting for more: allocated, but to nobody's work.
  void idle(const GpuSet& gpus, double begin_s, double end_s);
  /// The state from `time_s` on.
  void state(double time_s, std::uint32_t queued, std::uint32_t running, std::uint32_t free_gpus,
             std::uint64_t demand_gpus);
  /// A job goes on with another stretch on the same GPUs.
  void go_on(double time_s, JobId job) { held_by_events_s_ -= width(job) * time_s; }
  /// GPU-seconds allocated in the stretches so far; and the same as the sum, over ends and launches, of GPUs x time,
  /// launches negative: what was lost between them shows as a difference.
  [[nodiscard]] double allocated_s() const { return record_.allocated_s; }
  [[nodiscard]] double held_by_events_s() const { return held_by_events_s_; }
  /// Measured jobs that have finished here.
  [[nodiscard]] std::int64_t finished() const { return finished_; }
  [[nodiscard]] const RunRows& rows() const { return rows_; }
  /// The rows so far; sums are made at the end.
  [[nodiscard]] const PartitionRecord& recorded() const { return record_; }
  /// Ends the record of a run that ended at `end_s`, with fractions up to `horizon_s`; stretches still open have been
  /// given to `stretch` before.
  PartitionRecord take(double end_s, double horizon_s);
  /// All of it, to or from a checkpoint (state.cpp).
  template <class F>
  void state(F& f);

 private:
  void event(double time_s, EventKind kind, JobId job, const GpuSet& gpus);
  [[nodiscard]] double width(JobId job) const { return world_.workload.jobs[job.index()].gpus; }
  void queue_changes(double time_s, std::uint32_t queued);
  void jobs_change(double time_s, std::uint32_t jobs);
  void cut_after(double horizon_s);
  void settles();

  const World& world_;
  RunRows& rows_;
  const Topology& topology_;
  GpuId first_gpu_;
  PartitionRecord record_;
  std::int64_t finished_ = 0;
  double held_by_events_s_ = 0;
  double now_s_ = 0;
  std::uint32_t queued_ = 0;
  double queued_since_s_ = 0;
  std::uint32_t jobs_ = 0;
  double jobs_since_s_ = 0;
  struct Idle {
    double gpus, begin_s, end_s;
  };
  std::vector<Stretch> stretches_of_instant_;  // for the cut at the makespan
  std::vector<Idle> idle_of_instant_;
  double instant_s_ = 0;
};

}  // namespace palstudy
