// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace palstudy {

/// A job as a site ran it, and as its scheduler was simulated with it. Times in seconds from time 0.
struct ReplayedJob {
  double submit_s = 0;
  double recorded_start_s = 0;   ///< under 0 for one that ran at time 0
  double simulated_start_s = 0;  ///< NaN: it never started
  double ran_s = 0;              ///< from its start or, if it ran at time 0, from then; in both alike
  std::uint32_t gpus = 0;
  std::uint16_t queue = 0, tenant = 0;
  bool initial = false;  ///< ran or waited at time 0, so that it is not known since when
};

/// A log of a site, simulated.
struct ReplayedLog {
  std::vector<ReplayedJob> jobs;
  std::vector<std::string> queues, tenants;  ///< names; one or none: nothing to split by
  double zero_s = 0;                         ///< seconds since 1970 at time 0, for times of day; 0: not known
  std::uint32_t gpus = 0;                    ///< of the cluster
};

enum class SiteVerdict : std::uint8_t { accepted, rejected, too_few_jobs };
[[nodiscard]] const char* name_of(SiteVerdict verdict);

enum class SplitBy : std::uint8_t { width, queue, tenant, time_of_day };
[[nodiscard]] const char* name_of(SplitBy split);

/// What usually makes a group wait otherwise than the model says, with what a site can look for.
enum class UsualCause : std::uint8_t { partitions, priorities, reservations, outages, dependencies, more_gpus };
[[nodiscard]] const char* name_of(UsualCause cause);

/// Jobs that have something in common. Waits are means in seconds.
struct ValidatedGroup {
  SplitBy by = SplitBy::width;
  std::string name;  ///< "3-4" GPUs, a queue, a tenant, "6-12" o'clock
  std::size_t jobs = 0;
  double recorded_wait_s = 0, simulated_wait_s = 0;
  bool decides = false;  ///< it has jobs enough for the verdict
  bool holds = false;    ///< the simulated wait is near the recorded one

  /// Simulated less recorded, of all its jobs together.
  [[nodiscard]] double difference_s() const { return (simulated_wait_s - recorded_wait_s) * static_cast<double>(jobs); }
};

struct LargestDifference {
  ValidatedGroup group;
  std::vector<UsualCause> causes;  ///< the likeliest first
};

/// A stretch of the log: means over it.
struct UseOfStretch {
  double from_s = 0, to_s = 0;
  double recorded_queue = 0, simulated_queue = 0;  ///< jobs that wait
  double recorded_gpus = 0, simulated_gpus = 0;    ///< in use
};

/// The rule of the verdict.
struct ValidationRule {
  static constexpr double all_share = 0.10;     ///< of the recorded mean wait of all jobs, or
  static constexpr double all_s = 10;           ///< so many seconds
  static constexpr double group_share = 0.25;   ///< of the recorded mean wait of a group, or
  static constexpr double group_of_all = 0.10;  ///< of that of all jobs, or all_s
  static constexpr std::size_t group_jobs = 30;
  static constexpr double groups = 0.80;  ///< so many of the groups hold
  static constexpr std::size_t least_jobs = 30;
  static constexpr std::size_t stretches = 48, differences = 3;
};

/// Whether a model reproduces what a site recorded. (More than 15 members in its parts: a figure of the answer each.)
struct Validation {
  SiteVerdict verdict = SiteVerdict::too_few_jobs;
  std::size_t jobs = 0;       ///< that are compared
  std::size_t initial = 0;    ///< ran or waited at time 0: they hold GPUs and are not compared
  std::size_t unstarted = 0;  ///< never started in the simulation
  double recorded_wait_s = 0, simulated_wait_s = 0;
  double start_error_s = 0;                      ///< median distance of simulated from recorded starts
  std::size_t groups = 0, groups_that_hold = 0;  ///< of those that decide
  std::vector<ValidatedGroup> splits;            ///< by split, in the order of sizes, names or hours
  std::vector<LargestDifference> largest;        ///< at most three, of groups that decide
  std::vector<UseOfStretch> use;
  double recorded_use = 0, simulated_use = 0;  ///< of the cluster's GPUs, shares, over all stretches
};

/// Compares the log with its simulation and gives a verdict: `accepted` if the mean wait of all jobs is within 10 % of
/// the recorded one, or 10 s, and 80 % of the groups of 30 jobs or more are within 25 % of theirs, or 10 % of the mean
/// of all, or 10 s. Jobs that ran or waited at time 0 are not compared.
[[nodiscard]] Validation validation_of(const ReplayedLog& log);

}  // namespace palstudy
