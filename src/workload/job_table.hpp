// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/large_array.hpp"
#include "workload/job_life.hpp"

namespace palstudy {

/// What is written down of a job when it gets GPUs and when it has none left; side by side, since it is written
/// together.
struct alignas(32) JobCourse {
  double held_since_s = 0;       ///< since when it has held GPUs, these or others, without a pause
  double work_done = 0;          ///< iterations done before that
  double attained_before_s = 0;  ///< seconds for which it held GPUs before that
  double waiting_since_s = 0;    ///< from when starvation is counted
};

/// Whose a job is, and its state there, in one word, since both are asked at once.
class JobCell {
 public:
  constexpr JobCell() = default;
  constexpr JobCell(std::uint32_t owner, JobState state) : bits_(owner << 2 | static_cast<std::uint32_t>(state)) {}
  [[nodiscard]] constexpr JobState state() const { return static_cast<JobState>(bits_ & 3); }
  [[nodiscard]] constexpr std::uint32_t owner() const { return bits_ >> 2; }  ///< 0: nobody
  friend constexpr bool operator==(JobCell, JobCell) = default;

 private:
  std::uint32_t bits_ = 0;
};

/// What a rank keeps of the state of every job of a run. A partition reads and writes it through `OwnJobs` alone, since
/// which other partitions are on its rank must not matter. Nothing here changes while a job holds GPUs, but for what a
/// checkpoint has written back; reading it at any instant changes nothing.
struct JobTable {
  explicit JobTable(std::size_t jobs) : cells(jobs), starved(jobs, 0), course(jobs) {}

  std::vector<JobCell> cells;
  /// GPU-seconds that a job is predicted to need: fixed when the job arrives, by the jobs that had ended then; 0 of
  /// jobs on several partitions. Empty where nothing is predicted.
  std::vector<double> predicted_gpu_s;
  std::vector<std::uint8_t> starved;  ///< has waited `engine.starvation_s` once: goes first, and stays first
  LargeArray<JobCourse> course;
};

/// The jobs of one owner: a partition, or the whole cluster for those that are wider than any, as one more partition.
/// To it a job that is elsewhere, or has gone there, neither waits nor runs, on whatever rank that is.
class OwnJobs {
 public:
  OwnJobs(JobTable& table, PartitionId partition) : OwnJobs(table, partition.value + 1) {}

  [[nodiscard]] bool waiting(JobId job) const { return table_.cells[job.index()] == waiting_; }
  [[nodiscard]] bool running(JobId job) const { return table_.cells[job.index()] == running_; }
  [[nodiscard]] bool finished(JobId job) const {
    return table_.cells[job.index()] == JobCell(owner_, JobState::finished);
  }
  [[nodiscard]] bool here(JobId job) const { return table_.cells[job.index()].owner() == owner_; }

  [[nodiscard]] const JobCourse& course(JobId job) const {
    assert(here(job));
    return table_.course[job.index()];
  }
  [[nodiscard]] JobCourse& course(JobId job) {
    assert(here(job));
    return table_.course[job.index()];
  }
  /// Seconds for which the job has held GPUs up to `now_s`: what LAS orders by (PAL's artifact counts seconds, not
  /// GPU-seconds).
  [[nodiscard]] double attained_s(JobId job, double now_s) const {
    const JobCourse& of = course(job);
    return running(job) ? of.attained_before_s + (now_s - of.held_since_s) : of.attained_before_s;
  }
  [[nodiscard]] bool starved(JobId job) const { return table_.starved[job.index()] != 0; }
  void set_starved(JobId job, bool starved) { table_.starved[job.index()] = starved ? 1 : 0; }
  [[nodiscard]] bool predicts() const { return !table_.predicted_gpu_s.empty(); }
  [[nodiscard]] double predicted_gpu_s(JobId job) const { return table_.predicted_gpu_s[job.index()]; }
  void predict(JobId job, double gpu_s) { table_.predicted_gpu_s[job.index()] = gpu_s; }
  void fetch_state(JobId job) const { prefetch(table_.cells[job.index()]); }
  void fetch_course(JobId job) const { prefetch(table_.course[job.index()]); }

  /// Whether this can happen to the job here.
  [[nodiscard]] bool can(JobId job, JobChange change) const {
    const JobState now = table_.cells[job.index()].state();
    return (now == JobState::future || here(job)) && state_after(now, change).has_value();
  }
  /// The job has the state that follows. One that moves out belongs to nobody until it has moved in elsewhere.
  void change(JobId job, JobChange change) {
    assert(can(job, change));
    const JobState next = *state_after(table_.cells[job.index()].state(), change);
    table_.cells[job.index()] = next == JobState::future ? JobCell() : JobCell(owner_, next);
  }

 private:
  OwnJobs(JobTable& table, std::uint32_t owner)
      : table_(table), owner_(owner), waiting_(owner, JobState::waiting), running_(owner, JobState::running) {}

  JobTable& table_;
  std::uint32_t owner_;
  JobCell waiting_, running_;
};

/// What an elastic job runs with: the GPUs that it holds, and the samples of its batch (0: what the job chooses or its
/// user asks for). A rigid job always has {job.gpus, 0}.
struct JobSize {
  std::uint32_t gpus = 0, batch = 0;
  friend bool operator==(const JobSize&, const JobSize&) = default;
};
/// By JobId; empty in a run without elastic jobs.
using JobSizes = std::vector<JobSize>;

}  // namespace palstudy
