// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/run_values.hpp"
#include "sim/output/metrics.hpp"

namespace palstudy {

/// The geometric mean of the completion times of measured jobs: a metric that no archive stores.
inline constexpr const char* jct_log_mean = "jct_log_mean_s";

/// Few jobs rule a mean where under this part of them hold over this share of its sum.
inline constexpr double few_jobs = 0.02, most_of_a_mean = 1.0 / 3;

/// Whether the metric is a mean over jobs that few of them may rule.
[[nodiscard]] bool is_mean_of_jobs(const std::string& metric);

/// What the rows of /jobs say of the means over the measured jobs that finished.
class MeansOfJobs {
 public:
  /// Reads the columns that it needs. Errors (data): the archive has no /jobs, or a run points outside it.
  MeansOfJobs(const ArchiveReader& archive, const RunValues& runs);

  /// The geometric mean of the completion times, by row of /runs; NaN of runs without a finished job.
  [[nodiscard]] std::vector<double> log_means() const;
  /// The sentence on a mean over jobs that few of them rule in some of the `usable` runs (by row of /runs); "" where
  /// none is ruled.
  [[nodiscard]] std::string warning(const std::string& metric, const std::vector<bool>& usable) const;

 private:
  using OfJob = double (JobView::*)() const;
  friend bool is_mean_of_jobs(const std::string& metric);
  [[nodiscard]] static OfJob named(const std::string& metric);
  [[nodiscard]] std::vector<double> values(std::size_t run, OfJob value) const;

  std::vector<std::pair<std::size_t, std::size_t>> rows_;  // of /jobs, by row of /runs
  std::vector<std::int64_t> run_;                          // its number
  std::vector<std::int64_t> measured_;
  std::vector<double> submit_, finish_, exec_, ideal_;
};

}  // namespace palstudy
