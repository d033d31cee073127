// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analysis/compared_metrics.hpp"
#include "analysis/run_values.hpp"
#include "core/note.hpp"
#include "sim/output/metrics.hpp"

namespace palstudy {

/// The geometric mean of the completion times of measured jobs: a metric that no archive stores.
inline constexpr const char* jct_log_mean = "jct_log_mean_s";

/// Few jobs rule a mean where under this part of them hold over this share of its sum.
inline constexpr double few_jobs = 0.02, most_of_a_mean = 1.0 / 3;

/// What the rows of /jobs say of the means over the measured jobs that finished.
class MeansOfJobs {
 public:
  /// Reads the columns that it needs. Errors (data): the archive has no /jobs, or a run points outside it.
  MeansOfJobs(const ArchiveReader& archive, const RunValues& runs);

  /// The geometric mean of the completion times, by row of /runs; NaN of runs without a finished job.
  [[nodiscard]] std::vector<double> log_means() const;
  /// "few-jobs": a mean over jobs (`metric.mean_of`) is ruled by few of them in some of the `usable` runs (by row of
  /// /runs), with the smallest number of jobs that hold over `most_of_a_mean` of it.
  [[nodiscard]] std::optional<Note> few_jobs_note(const ComparedMetric& metric, const std::vector<bool>& usable) const;
  /// "one-episode": over half of a mean completion time is the waiting of a tenth of the jobs, which arrived one after
  /// another, in some usable run.
  [[nodiscard]] std::optional<Note> one_episode_note(const std::vector<bool>& usable) const;

 private:
  [[nodiscard]] std::vector<double> values(std::size_t run, double (JobView::*value)() const) const;

  std::vector<std::pair<std::size_t, std::size_t>> rows_;  // of /jobs, by row of /runs
  std::vector<std::int64_t> run_;                          // its number
  std::vector<std::int64_t> measured_;
  std::vector<double> submit_, finish_, exec_, ideal_;
};

/// Notes means that few jobs rule, and adds to the runs the mean that they do not, where a metric needs either;
/// `claimed`: by run, whether it makes every claim.
void add_means_of_jobs(const ArchiveReader& archive, RunValues& runs, const std::vector<ComparedMetric>& metrics,
                       const std::vector<bool>& claimed, std::vector<Note>& notes);

}  // namespace palstudy
