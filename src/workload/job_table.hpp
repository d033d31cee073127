// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/ids.hpp"
#include "core/large_array.hpp"

namespace palstudy {

enum class JobState : std::uint8_t { future, waiting, running, finished };

/// What is written down of a job when it gets GPUs and when it has none left; side by side, since it is written
/// together.
struct alignas(32) JobCourse {
  double held_since_s = 0;       ///< since when it has held GPUs, these or others, without a pause
  double work_done = 0;          ///< iterations done before that
  double attained_before_s = 0;  ///< seconds for which it held GPUs before that
  double waiting_since_s = 0;    ///< from when starvation is counted
};

/// The state of every job of a run. Nothing here changes while a job holds GPUs, but for what a checkpoint has
/// written back; reading it at any instant changes nothing.
class JobTable {
 public:
  explicit JobTable(std::size_t jobs) : state(jobs, JobState::future), starved(jobs, 0), course(jobs) {}

  /// Seconds for which the job has held GPUs up to `now_s`: what LAS orders by (PAL's artifact counts seconds, not
  /// GPU-seconds).
  [[nodiscard]] double attained_s(JobId job, double now_s) const {
    const JobCourse& of = course[job.index()];
    return running(job) ? of.attained_before_s + (now_s - of.held_since_s) : of.attained_before_s;
  }
  [[nodiscard]] bool running(JobId job) const { return state[job.index()] == JobState::running; }
  [[nodiscard]] bool waiting(JobId job) const { return state[job.index()] == JobState::waiting; }

  std::vector<JobState> state;
  /// GPU-seconds that a job is predicted to need: fixed when the job arrives, by the jobs that had ended then; 0 of
  /// jobs on several partitions. Empty where nothing is predicted.
  std::vector<double> predicted_gpu_s;
  std::vector<std::uint8_t> starved;  ///< has waited `engine.starvation_s` once: goes first, and stays first
  LargeArray<JobCourse> course;
};

/// What an elastic job runs with: the GPUs that it holds and its batch size (0: that of the job). A rigid job always
/// has {job.gpus, 0}.
struct Shape {
  std::uint32_t gpus = 0, batch = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
};
/// By JobId; empty in a run without elastic jobs.
using Shapes = std::vector<Shape>;

}  // namespace palstudy
