// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/state/partition_record.hpp"
#include "sim/state/run_rows.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// A time for which a job held the same GPUs at one rate.
struct AllocationInterval {
  JobId job;
  double begin_s = 0, end_s = 0;
  double slowdown = 1, penalty = 1;
  double work_s = 0;        ///< progress made in it, in seconds at slowdown 1 and penalty 1
  std::uint32_t width = 0;  ///< GPUs of the job
  bool measured = false;
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & job & begin_s & end_s & slowdown & penalty & work_s & width & measured);
  }
};

/// Records what happens in one partition, and its sums. Areas under curves are integrals over time, never means over
/// the instants that happened to be visited. (More than 25 functions: one for each thing that may happen.)
class Recorder {
 public:
  /// Of a partition whose nodes and GPUs begin there; sets of GPUs are given by the partition's own ids.
  Recorder(const World& world, RunRows& rows, const Topology& topology, GpuId first_gpu);

  /// Time moves on to `time_s`: called first at every instant.
  void instant(double time_s) { now_s_ = time_s; }
  /// `moved`: the job was stopped before, and starts again on other GPUs than it had.
  void launch(double time_s, JobId job, std::uint32_t width, const GpuSet& gpus, bool moved);
  /// A running job goes on, on other GPUs.
  void move(double time_s, JobId job, std::uint32_t width, const GpuSet& gpus, JobSums& sums);
  /// The row of an event alone: of an attempt that has failed, after which the job waits again.
  void event(double time_s, EventKind kind, JobId job, const GpuSet& gpus) {
    if (world_.record.events) add_event(time_s, kind, job, gpus);
  }
  void stop(double time_s, JobId job);
  void finish(double time_s, JobId job);
  /// A job is over that held no GPUs then.
  void end_waiting(double time_s, JobId job);
  /// `sums` are those of the job, wherever they are for now.
  void interval(const AllocationInterval& interval, const GpuSet& gpus, JobSums& sums);
  /// GPUs of this partition that a job on several has held for so long.
  void held(const GpuSet& gpus, double length_s);
  /// GPUs that a job has held idle, waiting for more: allocated, but without work.
  void idle(const GpuSet& gpus, double begin_s, double end_s);
  /// The number of jobs and GPUs from `time_s` on.
  void state(double time_s, std::uint32_t queued, std::uint32_t running, std::uint32_t free_gpus,
             std::uint64_t demand_gpus);
  /// A job goes on with another interval on the same GPUs.
  void go_on(double time_s, std::uint32_t width) { gpu_s_by_events_ -= width * time_s; }
  /// GPU-seconds allocated in the intervals so far; and the same as the sum, over ends and launches, of GPUs x time,
  /// launches negative: an error shows as a difference.
  [[nodiscard]] double allocated_s() const { return record_.allocated_s; }
  [[nodiscard]] double gpu_s_by_events() const { return gpu_s_by_events_; }
  /// Measured jobs that have finished here.
  [[nodiscard]] std::int64_t finished() const { return finished_; }
  [[nodiscard]] const RunRows& rows() const { return rows_; }
  /// The rows so far; sums are made at the end.
  [[nodiscard]] const PartitionRecord& recorded() const { return record_; }
  /// Ends the record of a run that ended at `end_s`, with fractions up to `horizon_s`; intervals still open have been
  /// given to `interval` before.
  PartitionRecord take(double end_s, double horizon_s);
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & record_ & finished_ & gpu_s_by_events_ & now_s_ & queued_ & queued_since_s_ & jobs_ & jobs_since_s_);
    (archive & intervals_of_instant_ & idle_of_instant_ & instant_s_);
  }

 private:
  void add_event(double time_s, EventKind kind, JobId job, const GpuSet& gpus);
  void queue_changes(double time_s, std::uint32_t queued);
  void jobs_change(double time_s, std::uint32_t jobs);
  void cut_after(double horizon_s);
  void begin_instant();

  const World& world_;
  RunRows& rows_;
  const Topology& topology_;
  GpuId first_gpu_;
  PartitionRecord record_;
  std::int64_t finished_ = 0;
  double gpu_s_by_events_ = 0;
  double now_s_ = 0;
  std::uint32_t queued_ = 0;
  double queued_since_s_ = 0;
  std::uint32_t jobs_ = 0;
  double jobs_since_s_ = 0;
  struct Idle {
    double gpus, begin_s, end_s;
    void serialize(auto& archive, unsigned /*version*/) { (archive & gpus & begin_s & end_s); }
  };
  std::vector<AllocationInterval> intervals_of_instant_;  // for the cut at the makespan
  std::vector<Idle> idle_of_instant_;
  double instant_s_ = 0;
};

}  // namespace palstudy
