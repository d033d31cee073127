// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "workload/synthetic/burst_distribution.hpp"
#include "workload/synthetic/duration_distribution.hpp"
#include "workload/synthetic/trace_statistics.hpp"

namespace palstudy {

/// Sessions of jobs of one size.
struct JobSource {
  std::uint32_t gpus = 1;
  DurationDistribution duration;
  BurstDistribution burst;
  double jobs_per_s = 0;  ///< mean over a week
  bool llm = false;       ///< of the tail of large training jobs

  /// GPUs that they keep busy at slowdown 1 and penalty 1, on average: the load they offer, by Little's law.
  [[nodiscard]] double load_gpus() const { return jobs_per_s * gpus * duration.mean_s(); }
  [[nodiscard]] double sessions_per_s() const { return jobs_per_s / burst.mean(); }
};

/// The options of generators that make jobs like those of a trace.
struct TraceLikeOptions {
  double rho = 0.75;           ///< nominal load: GPU-seconds of arriving jobs a second / GPUs of the cluster
  double end_s = 0;            ///< arrivals up to here; 0: as long as the measured jobs need
  bool stationary = true;      ///< jobs are running at time 0
  bool weekdays = true;        ///< days of the week differ; false: all are average
  double widest_share = 0.05;  ///< jobs want at most this share of the cluster
  double llm_share = 0;        ///< of the load, in large training jobs, on clusters from `llm_least_gpus` on
};

/// The sources that together offer rho x `cluster_gpus` GPUs of load: sizes in the shares of the numbers, without those
/// that are too wide, and rates from the mean GPU-seconds of exactly these jobs.
[[nodiscard]] std::vector<JobSource> job_sources(const TraceStatistics& numbers, const TraceLikeOptions& options,
                                                 std::uint32_t cluster_gpus);

/// By how much bursts are larger than those that were seen: the square root of the ratio of cluster sizes.
[[nodiscard]] double burst_scale(const TraceStatistics& numbers, std::uint32_t cluster_gpus);

}  // namespace palstudy
