// SPDX-License-Identifier: MIT
#include "archive/recomputed_metrics.hpp"

#include <algorithm>
#include <cmath>

#include "sim/output/metrics.hpp"

namespace palstudy {

std::map<std::string, double> recomputed_metrics(const TableData& jobs, const TableData& power, std::size_t to_come) {
  const auto &submit = reals_of(jobs, "submit_s"), &finish = reals_of(jobs, "finish_s");
  const auto &exec = reals_of(jobs, "exec_s"), &ideal = reals_of(jobs, "ideal_s");
  const auto& measured = integers_of(jobs, "measured");
  const auto &preemptions = integers_of(jobs, "preemptions"), &migrations = integers_of(jobs, "migrations");
  const bool with_power = jobs.find("power_wait_s") != nullptr;
  const std::vector<double> power_wait =
      with_power ? reals_of(jobs, "power_wait_s") : std::vector<double>(submit.size());
  MetricSums sums;
  for (std::size_t j = 0; j < submit.size(); ++j) {
    if (measured[j] == 0) continue;
    JobView job{submit[j], finish[j], exec[j], ideal[j]};
    job.preemptions = static_cast<double>(preemptions[j]);
    job.migrations = static_cast<double>(migrations[j]);
    job.power_wait_s = power_wait[j];
    sums.add(job);
  }
  sums.add_unfinished(to_come);
  MetricValues values = sums.take();
  std::map<std::string, double> metrics;
  for (const Metric metric : metrics_of_jobs) metrics.emplace(name_of(metric), value_of(values, metric));
  if (power.rows() == 0) return metrics;
  set_energy(values, reals_of(power, "energy_j"), reals_of(power, "work_s"));
  for (const Metric metric : metrics_of_energy) metrics.emplace(name_of(metric), value_of(values, metric));
  return metrics;
}

std::size_t unfinished_rows(const TableData& jobs) {
  const auto& finish = reals_of(jobs, "finish_s");
  const auto& measured = integers_of(jobs, "measured");
  std::size_t rows = 0;
  for (std::size_t j = 0; j < finish.size(); ++j) rows += measured[j] != 0 && std::isnan(finish[j]) ? 1 : 0;
  return rows;
}

std::vector<std::string> metrics_not_recomputed() {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < metric_count; ++m) {
    const bool known = std::ranges::find(metrics_of_jobs, Metric(m)) != metrics_of_jobs.end() ||
                       std::ranges::find(metrics_of_energy, Metric(m)) != metrics_of_energy.end();
    if (!known) names.push_back(name_of(Metric(m)));
  }
  return names;
}

}  // namespace palstudy
