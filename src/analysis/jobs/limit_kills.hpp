// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/jobs/job_row.hpp"

namespace palstudy {

/// Jobs of a run with `policy.overrun = "kill"` that were killed at their time limit.
struct KilledJobs {
  std::size_t jobs = 0;
  double gpu_hours = 0;  ///< that they held, for nothing
};
struct UserKills {
  std::string user;  ///< "" where the trace does not say
  KilledJobs all, slow;
};
/// A job that was killed because of a slow GPU.
struct SlowKill {
  JobRow job;
  double needed_s = 0;  ///< to hold GPUs at slowdown 1 until it were done
};

/// Who was killed because of a slow GPU.
struct LimitKills {
  std::string by = "user";       ///< "tenant" where the trace names no users
  std::vector<UserKills> users;  ///< with killed jobs: most GPU hours of `slow` first, then most jobs, then by name
  std::vector<SlowKill> jobs;    ///< in the order of the rows
  KilledJobs all, slow;
};

/// A job that was killed at its limit held GPUs for `exec_s`, which is its limit as it was applied. It was killed
/// because of a slow GPU if it would have been done by then, had its GPUs been at slowdown 1: if ideal time x penalty,
/// and `migration_s` for each stop and move, fit in `exec_s`. The penalty is the mean over the time it ran.
[[nodiscard]] LimitKills limit_kills(const std::vector<JobRow>& jobs, double migration_s);

}  // namespace palstudy
