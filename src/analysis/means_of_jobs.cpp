// SPDX-License-Identifier: MIT
#include "analysis/means_of_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/job_groups.hpp"
#include "analysis/job_metrics.hpp"
#include "core/text.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {

MeansOfJobs::MeansOfJobs(const ArchiveReader& archive, const RunValues& runs)
    : run_(std::get<std::vector<std::int64_t>>(runs.values("run"))),
      measured_(job_column<std::int64_t>(archive, "measured")),
      submit_(job_column<double>(archive, "submit_s")),
      finish_(job_column<double>(archive, "finish_s")),
      exec_(job_column<double>(archive, "exec_s")),
      ideal_(job_column<double>(archive, "ideal_s")) {
  rows_ = job_rows(runs, measured_.size());
}

std::vector<double> MeansOfJobs::values(std::size_t run, double (JobView::*value)() const) const {
  std::vector<double> all;
  for (std::size_t i = rows_[run].first; i < rows_[run].second; ++i) {
    if (measured_[i] == 0 || std::isnan(finish_[i])) continue;
    all.push_back((JobView{submit_[i], finish_[i], exec_[i], ideal_[i]}.*value)());
  }
  return all;
}

std::vector<double> MeansOfJobs::log_means() const {
  std::vector<double> means;
  for (std::size_t run = 0; run < rows_.size(); ++run) means.push_back(geometric_mean(values(run, &JobView::jct_s)));
  return means;
}

std::string MeansOfJobs::warning(const ComparedMetric& metric, const std::vector<bool>& usable) const {
  Concentration fewest;
  std::size_t ruled = 0, worst = 0;
  for (std::size_t run = 0; run < rows_.size(); ++run) {
    if (!usable[run]) continue;
    const std::vector<double> all = values(run, metric.mean_of);
    if (held_by_largest(all, few_jobs).share <= most_of_a_mean) continue;
    const Concentration held = held_by_fewest(all, most_of_a_mean);
    if (ruled == 0 || held.few * fewest.values < fewest.few * held.values) fewest = held, worst = run;
    ++ruled;
  }
  if (ruled == 0) return "";
  return fmt::format(
      "few jobs rule {}: in {} of {} under 2 % of the measured jobs hold over a third of it, as few as {} of {} jobs "
      "{:.0f} % (run {}); jct_p50_s and {} depend on them less",
      metric.name, grouped(ruled), counted(rows_.size(), "run"), fewest.few, fewest.values, 100 * fewest.share,
      run_[worst], jct_log_mean);
}

}  // namespace palstudy
