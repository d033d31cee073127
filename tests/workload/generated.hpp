// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workload/job.hpp"

namespace palstudy::testing_workload {

/// What is asked of `philly` or `helios`, with the carried tables.
struct Wanted {
  std::string generator = "philly";
  std::uint32_t gpus = 2560;  ///< the widest usual job, 128 GPUs, is just 5 % of it
  double rho = 0.75, end_s = 0;
  std::uint64_t seed = 1;
  std::size_t jobs = 0;  ///< of the context
  double until_s = 0;    ///< of the context
  bool stationary = true, weekdays = true;
  double widest_share = 0.05, llm_share = 0;
  std::string trace_cluster = "all";  ///< of helios
};
[[nodiscard]] Workload generated(const Wanted& wanted);
/// Arrivals alone: those with ids from 0 on, the first `most` of them.
[[nodiscard]] std::vector<Job> arrivals(const Workload& workload, std::size_t most = SIZE_MAX);
[[nodiscard]] bool same(const Job& a, const Job& b);

/// Width of the traces' tables: 1, 2 to 4, 5 to 8, more; by its largest number, 1000 for more.
[[nodiscard]] std::uint32_t bucket(const Job& job);
/// By bucket.
[[nodiscard]] std::map<std::uint32_t, double> gpu_time_shares(const std::vector<Job>& jobs);
[[nodiscard]] double mean_gpus(const std::vector<Job>& jobs);
/// Variance over mean of the number of jobs an hour; 1 for a Poisson process.
[[nodiscard]] double hourly_dispersion(const std::vector<Job>& jobs);
/// Correlation of the hours of day of sessions with a profile. A session begins with a job that none of its tenant,
/// model and size precedes by less than a minute.
[[nodiscard]] double hours_correlation(const std::vector<Job>& jobs, const std::vector<double>& profile);

}  // namespace palstudy::testing_workload
