// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/comparison.hpp"
#include "analysis/run_values.hpp"
#include "archive/reader.hpp"
#include "sim/result.hpp"
#include "stats/paired.hpp"

namespace palstudy {

/// A metric that `compare` can compare.
struct ComparedMetric {
  /// Flags of what it is.
  enum Trait : unsigned {
    larger_is_better = 1,
    by_bootstrap = 2,
    until_end = 4,      ///< needs no finish: of a run that left jobs unfinished it is up to the end of the run
    of_group = 8,       ///< can be had for a part of the jobs (--by class, --by size)
    of_job_rows = 16,   ///< made with those of groups of jobs (`spread_by_jobs`)
    share = 32,         ///< of the time by cause, or of jobs by what became of them: has means, and no ratios
    of_failures = 64,   ///< a share only where attempts may fail
    outcome = 128,      ///< a share by the outcome of jobs, not by a cause
    of_migration = 256  ///< a share only where engine.migration_s is not 0
  };
  std::string name, unit, summary;
  unsigned traits = 0;
  bool stored = false;  ///< in /runs, in studies that `use` says; else made from the rows of /jobs
  MetricUse use = MetricUse::always;
  double (JobView::*mean_of)() const = nullptr;  ///< of which value of each finished job it is the mean, if it is one

  [[nodiscard]] bool has(Trait trait) const { return (traits & trait) != 0; }
  [[nodiscard]] Comparing how() const { return {has(by_bootstrap), has(larger_is_better)}; }
};

/// Of completion times, in which waits count.
[[nodiscard]] bool is_completion_time(const ComparedMetric& metric);

/// Every metric of /runs in its order, then those made from /jobs.
[[nodiscard]] const std::vector<ComparedMetric>& compared_metrics();
/// By name. Errors (usage): there is no such metric; `where` names the option or key.
[[nodiscard]] const ComparedMetric& compared_metric(std::string_view name, const std::string& where);

/// The metrics that a comparison is of.
struct ChosenMetrics {
  std::vector<ComparedMetric> all;  ///< those whose gains are given; the first is that of --metric
  std::size_t shown = 0;            ///< how many of them, from the first on, have a table of means
};

/// Those that the options name, or the study, or the mean completion time, and what is given beside one of them.
/// `some_unfinished`: whether a run left measured jobs unfinished. Errors (usage): there is no such metric, or it is of
/// whole runs and groups of jobs are asked for.
[[nodiscard]] ChosenMetrics choose_metrics(const ArchiveReader& archive, const RunValues& runs,
                                           const ComparisonOptions& options, bool some_unfinished);

}  // namespace palstudy
