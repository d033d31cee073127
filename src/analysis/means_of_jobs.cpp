// SPDX-License-Identifier: MIT
#include "analysis/means_of_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/job_groups.hpp"
#include "analysis/job_metrics.hpp"
#include "analysis/offered_load.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

const NoteKind few_jobs_kind("few-jobs", Severity::care), one_episode_kind("one-episode", Severity::care);

/// The largest sum of `length` values in a row.
double largest_sum(const std::vector<double>& values, std::size_t length) {
  double sum = 0, most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i] - (i < length ? 0 : values[i - length]);
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

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

std::optional<Note> MeansOfJobs::few_jobs_note(const ComparedMetric& metric, const std::vector<bool>& usable) const {
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
  if (ruled == 0) return std::nullopt;
  return few_jobs_kind({{"metric", metric.name},
                        {"runs", ruled},
                        {"of", rows_.size()},
                        {"jobs", fewest.few},
                        {"of_jobs", fewest.values},
                        {"share", fewest.share},
                        {"run", run_[worst]}},
                       metric.name);
}

std::optional<Note> MeansOfJobs::one_episode_note(const std::vector<bool>& usable) const {
  constexpr double few = 0.1, most = 0.5;
  double largest = most;
  std::size_t runs = 0, worst = 0;
  for (std::size_t run = 0; run < rows_.size(); ++run) {
    if (!usable[run]) continue;
    const std::vector<double> times = values(run, &JobView::jct_s), waits = values(run, &JobView::wait_s);
    const auto length = static_cast<std::size_t>(std::ceil(few * static_cast<double>(waits.size())));
    const double share = largest_sum(waits, length) / std::accumulate(times.begin(), times.end(), 0.0);
    if (!(share > most)) continue;
    ++runs;
    if (share > largest) largest = share, worst = run;
  }
  if (runs == 0) return std::nullopt;
  return one_episode_kind({{"runs", runs}, {"of", rows_.size()}, {"share", largest}, {"run", run_[worst]}});
}

void add_means_of_jobs(const ArchiveReader& archive, RunValues& runs, const std::vector<ComparedMetric>& metrics,
                       const std::vector<bool>& claimed, std::vector<Note>& notes) {
  const auto among_metrics = [&](auto which) { return std::ranges::any_of(metrics, which); };
  const bool mean = among_metrics([](const ComparedMetric& metric) { return metric.mean_of != nullptr; });
  const bool log_mean = among_metrics([](const ComparedMetric& metric) { return metric.name == jct_log_mean; });
  if (!mean && !log_mean) return;
  if (!archive.has(TableId::jobs) && !log_mean) {
    notes.push_back(no_job_rows({{"unknown", "few-jobs"}}, "few-jobs"));
    return;
  }
  const MeansOfJobs jobs(archive, runs);
  const auto add = [&](std::optional<Note> note) {
    if (note) notes.push_back(std::move(*note));
  };
  for (const ComparedMetric& metric : metrics) {
    if (metric.mean_of == nullptr) continue;
    add(jobs.few_jobs_note(metric, claimed));
    if (metric.name == "jct_mean_s") add(jobs.one_episode_note(claimed));
  }
  runs.add(jct_log_mean, jobs.log_means());
}

}  // namespace palstudy
