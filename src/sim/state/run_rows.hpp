// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/large_array.hpp"
#include "core/numbers.hpp"
#include "sim/result.hpp"
#include "sim/state/world.hpp"

namespace palstudy {

/// The area under a curve of steps. Written only where the curve changes: reading it, or coming by, changes no bit.
class StepArea {
 public:
  explicit StepArea(double value) : value_(value) {}
  [[nodiscard]] double until(double time_s) const { return sum_ + (time_s - since_s_) * value_; }
  void step(double time_s, double value) {
    if (value == value_) return;
    sum_ = until(time_s);
    since_s_ = time_s;
    value_ = value;
  }
  void serialize(auto& archive, unsigned /*version*/) { (archive & since_s_ & value_ & sum_); }

 private:
  double since_s_ = 0, value_, sum_ = 0;
};

/// The sums of a job, which grow at every end of an interval.
struct JobSums {
  double exec_s = 0;                     ///< seconds in which it held GPUs
  double slowdown_s = 0, penalty_s = 0;  ///< integrals over that time
  std::uint32_t preemptions = 0, migrations = 0;
};

/// What the rows of a job are made of. It is written when the job starts and when it ends, which is hours of other jobs
/// later: all in one line of the cache, so that it comes back at once.
struct alignas(64) JobRecord {
  JobSums sums;
  double start_s = nan, finish_s = nan;  ///< NaN: not yet
  double mean_contention = 1;            ///< once it has ended
  std::uint32_t attempts = 0;
  std::uint16_t measured = 0;  ///< not 0: it is
  std::uint16_t late = 0;      ///< not 0: it started after the time that it was first promised
};
static_assert(sizeof(JobRecord) == 64);

/// When a job arrived.
struct Arrival {
  double instant_s = 0;   ///< at which it was known
  double contention = 0;  ///< its area until then
};

/// What a rank writes down of the jobs of a run, by JobId, and of the contention for the cluster while they are in it.
/// Arrivals, partitions and contention are the same on every rank; what happens to a job is written by the rank whose
/// partition it is in, and to a job on several partitions by all alike.
class RunRows {
 public:
  explicit RunRows(const World& world);

  /// A job has arrived and is known at `now_s`.
  void arrive(JobId job, double now_s) {
    ++arrived_;
    arrivals_[job.index()] = {now_s, contention_.until(now_s)};
  }
  /// GPUs that queued and running jobs want, from `now_s` on.
  void contention(double now_s, std::uint64_t demand_gpus);
  /// A job is over at `finish_s`, which is looked at at `now_s`.
  void finish(JobId job, double finish_s, double now_s);

  [[nodiscard]] bool measured(JobId job) const { return records[job.index()].measured != 0; }
  [[nodiscard]] bool ever_launched(JobId job) const { return !std::isnan(records[job.index()].start_s); }
  [[nodiscard]] double arrival_s(JobId job) const { return arrivals_[job.index()].instant_s; }
  [[nodiscard]] std::size_t arrived() const { return arrived_; }
  [[nodiscard]] std::int64_t measured_jobs() const { return measured_jobs_; }

  /// Asks for what is written of a job that starts or ends soon.
  void fetch(JobId job) const {
    prefetch(records[job.index()]);
    prefetch(arrivals_[job.index()]);
  }
  /// Latest finish of a measured job so far, of those written on this rank.
  [[nodiscard]] double last_measured_finish_s() const { return last_measured_finish_s_; }
  /// Makes rows of the records, which are gone then: of all jobs, or of some alone.
  void close();
  void close(const std::vector<JobId>& jobs);
  /// To or from a checkpoint: what every rank has alike, and the rows of some jobs; `finished`: those that have ended.
  template <class Archive>
  void serialize_shared(Archive& archive);
  template <class Archive>
  void serialize_jobs(Archive& archive, const std::vector<JobId>& jobs, const std::vector<std::uint8_t>& finished);

  JobRows rows;                                 ///< job, partition and status; the others by `close`
  LargeArray<JobRecord> records;                ///< by job
  std::vector<double> mean_contention;          ///< like the rows, by `close`
  double window_begin_s = 0, window_end_s = 0;  ///< in which measured jobs arrive
  bool terminating = true;                      ///< the measured jobs begin with the first of the trace

 private:
  void make_row(std::size_t row, const JobRecord& record);

  std::size_t arrived_ = 0;
  std::int64_t measured_jobs_ = 0;
  double last_measured_finish_s_ = 0;
  StepArea contention_{1.0};  // of max(1, demand / GPUs)
  double gpus_;
  LargeArray<Arrival> arrivals_;  // by job
};

}  // namespace palstudy
