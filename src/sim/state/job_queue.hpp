// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "workload/job.hpp"
#include "workload/job_table.hpp"

namespace palstudy {

/// The jobs of one partition that wait, the GPUs that waiting and running jobs want, and the jobs that have starved:
/// waited for `engine.starvation_s` once. Waiting times and starvation are written to the job table; the states of the
/// jobs are the dispatcher's.
class JobQueue {
 public:
  /// `starvation_s`: infinite where no job starves. `jobs`, `table` and `sizes` must outlive it.
  JobQueue(const std::vector<Job>& jobs, OwnJobs& table, const JobSizes& sizes, double starvation_s)
      : jobs_(jobs), table_(table), sizes_(sizes), starvation_s_(starvation_s) {}

  /// A job arrives; jobs arrive by ascending id.
  void admit(JobId job, double now_s);
  /// A job that was running waits again; starvation counts from `since_s`.
  void wait_again(JobId job, double since_s);
  /// A waiting job moves out to another partition, or in from one where it has waited since `arrival_s`.
  void move_out(JobId job);
  void move_in(JobId job, double arrival_s);
  /// A waiting job has got GPUs. It stays among `waiting` until `remove_launched`.
  void launch() { --queued_; }
  /// Takes jobs that have been launched, which ascend, out of those that wait.
  void remove_launched(const std::vector<JobId>& launched);
  /// A running job has `gpus` GPUs from now on, instead of those of its size, which changes after this.
  void resize(JobId job, std::uint32_t gpus) { demand_gpus_ += std::uint64_t{gpus} - gpus_of(job); }
  /// A running job, which has `gpus` GPUs, is over. (Its own line of the trace may be far away in memory.)
  void finish(JobId job, std::uint32_t gpus) {
    if (starved_ > 0) starved_ -= table_.starved(job) ? 1 : 0;
    demand_gpus_ -= gpus;
  }

  /// Marks the jobs that have starved at `now_s`.
  void mark_starved(double now_s);
  /// When the next job starves; infinite if none will.
  [[nodiscard]] double next_starvation_s();

  /// By ascending id; those launched since the last `remove_launched` included.
  [[nodiscard]] const std::vector<JobId>& waiting() const { return waiting_; }
  [[nodiscard]] std::uint32_t size() const { return queued_; }
  [[nodiscard]] bool empty() const { return queued_ == 0; }
  /// GPUs that waiting and running jobs want.
  [[nodiscard]] std::uint64_t demand_gpus() const { return demand_gpus_; }
  /// Whether a job that waits or runs has starved.
  [[nodiscard]] bool any_starved() const { return starved_ > 0; }

  /// The job table is kept elsewhere.
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & waiting_ & queued_ & demand_gpus_ & starved_ & starving_);
  }

 private:
  [[nodiscard]] bool may_starve(double since_s, JobId job) const;
  [[nodiscard]] bool starves() const { return starvation_s_ < std::numeric_limits<double>::infinity(); }
  [[nodiscard]] std::uint32_t gpus_of(JobId job) const {
    return sizes_.empty() ? jobs_[job.index()].gpus : sizes_[job.index()].gpus;
  }
  void begin_waiting(JobId job, double since_s);

  const std::vector<Job>& jobs_;
  OwnJobs& table_;
  const JobSizes& sizes_;
  double starvation_s_;
  std::vector<JobId> waiting_;
  std::uint32_t queued_ = 0;
  std::uint64_t demand_gpus_ = 0;
  std::uint32_t starved_ = 0;                      // that wait or run
  std::deque<std::pair<double, JobId>> starving_;  // (waiting since, job), ascending; stale entries are skipped
};

}  // namespace palstudy
