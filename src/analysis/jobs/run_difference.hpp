// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/jobs/job_row.hpp"

namespace palstudy {

/// Why a job takes another time in another run.
enum class DifferenceCause : std::uint8_t {
  wait,  ///< it waits for another time
  gpus,  ///< it runs on GPUs of another slowdown
  span,  ///< they span another level, with another penalty
  rest,  ///< else: restarts, lost work, neighbours, a time limit
};
inline constexpr std::size_t difference_causes = 4;
/// "wait", "gpus", "span", "rest": as --json has them.
[[nodiscard]] const char* name_of(DifferenceCause cause);

/// A job in two runs: seconds in the other run less those in this one.
struct JobDifference {
  std::int64_t job = 0;
  std::string site_job;  ///< "" where that is `job`
  std::int64_t gpus = 0;
  double jct_s = 0, other_jct_s = 0;
  /// They sum to the difference of completion times. Of an ideal time i, slowdowns s and penalties p of the two runs
  /// (means over the time it ran) GPUs make i (s2 - s1) (p1 + p2) / 2, and the span i (p2 - p1) (s1 + s2) / 2.
  double by_cause_s[difference_causes] = {};

  [[nodiscard]] double difference_s() const { return other_jct_s - jct_s; }
  [[nodiscard]] double s(DifferenceCause cause) const { return by_cause_s[static_cast<std::size_t>(cause)]; }
  /// What makes the most of the difference, in its direction; the first of equal ones.
  [[nodiscard]] DifferenceCause main() const;
};

/// What makes the difference between two runs of the same jobs. (Of measured jobs that are over in both.)
struct RunDifference {
  std::vector<JobDifference> jobs;         ///< those that differ most, by the size of the difference, then by id
  std::size_t compared = 0, left_out = 0;  ///< left out: measured in both, and not over in both
  double mean_s = 0, other_mean_s = 0;     ///< completion time of the compared ones
  double share = 0;  ///< of `jobs` in the sum of the sizes of all differences; 0 if nothing differs
};

/// The `most` jobs that differ most. Errors (usage, at `where`): the runs do not have the same jobs.
[[nodiscard]] RunDifference run_difference(const std::vector<JobRow>& jobs, const std::vector<JobRow>& others,
                                           std::size_t most, const std::string& where);

}  // namespace palstudy
