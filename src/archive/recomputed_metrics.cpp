// SPDX-License-Identifier: MIT
#include "archive/recomputed_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/numbers.hpp"
#include "record/tables.hpp"
#include "sim/result.hpp"

namespace palstudy {
namespace {

constexpr double shortest_ideal_s = 10;  // Feitelson and Rudolph's bound of the slowdown

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? nan : sum / static_cast<double>(values.size());
}

/// Linear interpolation between the order statistics, numbered from 0 to n - 1.
double percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return nan;
  double whole = 0;
  const double rest = std::modf(share * static_cast<double>(sorted.size() - 1), &whole);
  const auto i = static_cast<std::size_t>(whole);
  return rest == 0 ? sorted[i] : std::lerp(sorted[i], sorted[i + 1], rest);
}

}  // namespace

std::map<std::string, double> recomputed_metrics(const TableData& jobs) {
  const auto& submit = reals_of(jobs, "submit_s");
  const auto& finish = reals_of(jobs, "finish_s");
  const auto& exec = reals_of(jobs, "exec_s");
  const auto& ideal = reals_of(jobs, "ideal_s");
  const auto& measured = integers_of(jobs, "measured");
  const auto& preemptions = integers_of(jobs, "preemptions");
  const auto& migrations = integers_of(jobs, "migrations");
  std::vector<double> jct, wait, bounded;
  double last_finish = nan, unfinished = 0, preempted = 0, migrated = 0;
  for (std::size_t j = 0; j < submit.size(); ++j) {
    if (measured[j] == 0) continue;
    preempted += static_cast<double>(preemptions[j]);
    migrated += static_cast<double>(migrations[j]);
    if (std::isnan(finish[j])) {
      ++unfinished;
      continue;
    }
    last_finish = std::fmax(last_finish, finish[j]);
    jct.push_back(finish[j] - submit[j]);
    wait.push_back(jct.back() - exec[j]);
    bounded.push_back(std::max(1.0, jct.back() / std::max(ideal[j], shortest_ideal_s)));
  }
  std::map<std::string, double> metrics{{"jct_mean_s", mean(jct)},
                                        {"wait_mean_s", mean(wait)},
                                        {"bounded_slowdown_mean", mean(bounded)},
                                        {"makespan_s", unfinished > 0 ? nan : last_finish},
                                        {"jobs_unfinished", unfinished},
                                        {"preemptions", preempted},
                                        {"migrations", migrated}};
  std::sort(jct.begin(), jct.end());
  metrics["jct_p50_s"] = percentile(jct, 0.50);
  metrics["jct_p95_s"] = percentile(jct, 0.95);
  metrics["jct_p99_s"] = percentile(jct, 0.99);
  return metrics;
}

std::vector<std::string> metrics_not_recomputed() {
  TableData no_jobs;
  for (const Column& column : schema_columns()) {
    if (column.table != TableId::jobs || column.type == ColumnType::text) continue;
    no_jobs.columns.push_back(column);
    if (column.type == ColumnType::real) {
      no_jobs.values.emplace_back(std::vector<double>());
    } else {
      no_jobs.values.emplace_back(std::vector<std::int64_t>());
    }
  }
  const auto recomputed = recomputed_metrics(no_jobs);
  std::vector<std::string> names;
  for (const MetricInfo& metric : metric_infos) {
    if (!recomputed.contains(std::string(metric.name))) names.emplace_back(metric.name);
  }
  return names;
}

}  // namespace palstudy
