// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/ids.hpp"

namespace palstudy {

enum class JobState : std::uint8_t { future, waiting, running, finished };

/// The state of every job of a run, one array a field. A running job is a segment; nothing here is written between the
/// ends of a segment, so reading it at any instant changes nothing.
class JobTable {
 public:
  explicit JobTable(std::size_t jobs)
      : state(jobs, JobState::future),
        starved(jobs, 0),
        segment_start_s(jobs, 0.0),
        work_done(jobs, 0.0),
        attained_before_s(jobs, 0.0),
        waiting_since_s(jobs, 0.0) {}

  /// Seconds for which the job has held GPUs up to `now_s`: what LAS orders by (PAL's artifact counts seconds, not
  /// GPU-seconds).
  [[nodiscard]] double attained_s(JobId job, double now_s) const {
    const std::size_t j = job.index();
    return state[j] == JobState::running ? attained_before_s[j] + (now_s - segment_start_s[j]) : attained_before_s[j];
  }
  [[nodiscard]] bool running(JobId job) const { return state[job.index()] == JobState::running; }
  [[nodiscard]] bool waiting(JobId job) const { return state[job.index()] == JobState::waiting; }

  std::vector<JobState> state;
  std::vector<std::uint8_t> starved;      ///< has waited `engine.starvation_s` once: goes first, and stays first
  std::vector<double> segment_start_s;    ///< when the running segment began
  std::vector<double> work_done;          ///< iterations done before the running segment
  std::vector<double> attained_before_s;  ///< seconds run before the running segment
  std::vector<double> waiting_since_s;    ///< from when starvation is counted
};

}  // namespace palstudy
