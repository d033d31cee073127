// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workload/synthetic/burst_distribution.hpp"
#include "workload/synthetic/tenant_distribution.hpp"

namespace palstudy {

/// Jobs of some sizes that share the percentiles of their durations.
struct SizeGroup {
  std::vector<double> gpus;
  std::vector<double> shares;       ///< by size, of the jobs
  std::vector<double> percentiles;  ///< of the durations, as shares in [0, 1]
  std::vector<double> seconds;      ///< by percentile
};

/// What a file in jobs/generators/ says of one kind of cluster; the file has the sources.
struct TraceStatistics {
  std::vector<double> hours;               ///< arrivals by hour of day, in any unit
  std::vector<double> weekdays;            ///< and by day, from Monday
  BurstStatistics narrow, wide;            ///< sessions of one-GPU jobs, and of wider ones
  double reference_gpus = 1;               ///< the size of cluster that the bursts were seen on
  double gap_least_s = 1, gap_most_s = 1;  ///< the mean gap inside a session is uniform from the one to the other
  double shared = 0;  ///< correlation of a job's score with its session's; the score sets the duration
  TenantStatistics tenants;
  double always_gpus = 1;  ///< jobs up to here are made whatever the share of the cluster that they take
  double longest_s = 1;    ///< no job runs longer
  std::vector<SizeGroup> jobs;
  SizeGroup llm;              ///< the tail of large training jobs, by its shares of that tail's jobs
  double llm_least_gpus = 0;  ///< the least cluster that has it, if the option is set
};

/// Reads the file's common part and its `[clusters.<cluster>]`. Errors: (usage) no such cluster, naming those there
/// are; (data, file:line:column) unreadable, keys that are missing or unknown, numbers out of range.
[[nodiscard]] TraceStatistics read_trace_statistics(const std::filesystem::path& path, const std::string& cluster);

}  // namespace palstudy
