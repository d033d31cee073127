// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/synthetic/drawn_models.hpp"
#include "workload/synthetic/generator.hpp"
#include "workload/synthetic/job_sources.hpp"
#include "workload/synthetic/tenant_distribution.hpp"

namespace palstudy {

/// Jobs like those of a trace, on a cluster of any size: sessions (sessions.hpp) of jobs whose durations are alike, and
/// before them the jobs that are running at time 0. These have the ids -1, -2, ... so that `measure.jobs` never means
/// them; arrivals count from 0. A function of the numbers, the options and (cluster_gpus, seed, models) of the context:
/// until when jobs arrive (`end_s`, or the context's `jobs` and `until_s`) changes none of those that arrive earlier.
/// Without `end_s`, jobs arrive up to `until_s`, and twice as long as it takes for the requested `jobs`, whichever is
/// more, so that these finish under load. Errors (usage): more than 2^24 jobs.
[[nodiscard]] Workload make_trace_like(const TraceStatistics& numbers, const TraceLikeOptions& options,
                                       const GeneratorContext& context);

// What `philly` and `helios` have in common as entries of the registry.
[[nodiscard]] std::vector<Param> trace_like_params();
[[nodiscard]] TraceLikeOptions trace_like_options(const ParamValues& params);

/// The jobs that a cluster in its steady state is found with: met in proportion to how long they run, with what is left
/// of their lives (renewal theory; Feller, vol. 2, section XI.4).
struct RunningJobs {
  const std::vector<JobSource>& sources;
  const TenantDistribution& tenants;
  const DrawnModels& models;
  std::uint64_t seed = 1;

  /// Adds jobs submitted at time 0 with ids ..., -2, -1, that together want as many GPUs as are busy on average at this
  /// load: rho x `cluster_gpus`, or all of them where rho is over 1. They fit into the cluster.
  void add(double rho, std::uint32_t cluster_gpus, std::vector<Job>& out) const;
};

}  // namespace palstudy
