// SPDX-License-Identifier: MIT
#include "sim/output/metrics.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers.hpp"

namespace palstudy {
namespace {

/// Jobs shorter than this do not blow up the bounded slowdown (Feitelson and Rudolph, JSSPP'98).
constexpr double bounded_slowdown_floor_s = 10.0;
/// A window is called stable if less than this share of its arrivals piles up in the queue.
constexpr double stable_share = 0.05;

/// NaN if there are none.
double mean(double sum, std::size_t count) { return count == 0 ? nan : sum / static_cast<double>(count); }

/// Jain's index of x_j = 1 / rho_j: 1 if all are treated alike (Jain, Chiu, Hawe, 1984).
double jain_index(const std::vector<double>& rho) {
  double sum = 0;
  double squares = 0;
  for (const double r : rho) {
    sum += 1 / r;
    squares += 1 / (r * r);
  }
  return rho.empty() ? nan : sum * sum / (static_cast<double>(rho.size()) * squares);
}

}  // namespace

const std::array<MetricInfo, metric_count> metric_infos = {{
    {"jct_mean_s", "s", MetricType::real, "mean job completion time (finish - submit) of measured jobs"},
    {"jct_p50_s", "s", MetricType::real, "median job completion time of measured jobs, linear interpolation"},
    {"jct_p95_s", "s", MetricType::real, "95th percentile of the job completion time of measured jobs"},
    {"jct_p99_s", "s", MetricType::real, "99th percentile of the job completion time of measured jobs"},
    {"wait_mean_s", "s", MetricType::real, "mean time in which a measured job held no GPUs (jct - exec)"},
    {"bounded_slowdown_mean", "1", MetricType::real,
     "mean of max(1, jct / max(ideal, 10 s)) over measured jobs, ideal at slowdown 1 and penalty 1"},
    {"makespan_s", "s", MetricType::real, "last finish of a measured job, from time 0; NaN if one is unfinished"},
    {"alloc_fraction", "1", MetricType::real,
     "GPU-seconds held by all jobs / (GPUs x makespan); up to the end of the run if a measured job is unfinished"},
    {"busy_fraction", "1", MetricType::real, "GPU-seconds held by measured jobs / (GPUs x makespan)"},
    {"effective_fraction", "1", MetricType::real,
     "GPU-seconds of work of all jobs at slowdown 1 and penalty 1 / (GPUs x makespan)"},
    {"rho_p95", "1", MetricType::real,
     "95th percentile of the finish-time fairness rho = jct / (ideal x mean of max(1, GPU demand / GPUs) over its "
     "stay), "
     "after Themis (NSDI'20)"},
    {"jain", "1", MetricType::real, "Jain's fairness index of 1 / rho over measured jobs"},
    {"preemptions", "1", MetricType::count, "times a measured job was stopped and left with no GPUs"},
    {"migrations", "1", MetricType::count, "times a measured job was launched on other GPUs than it had held before"},
    {"jobs_unfinished", "1", MetricType::count, "measured jobs that had not finished when the run ended"},
    {"queue_slope", "1/h", MetricType::real,
     "least-squares slope of the number of queued jobs while measured jobs arrive"},
    {"stable", "1", MetricType::count,
     "1 if less than 5 % of the arrivals of the window pile up in the queue, or if the measured jobs begin with the "
     "first one, so that no steady state is claimed; else 0"},
}};

double quantile(std::vector<double>& values, double share) {
  if (values.empty()) return nan;
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), below, values.end());
  const double above = below + 1 == values.end() ? *below : *std::min_element(below + 1, values.end());
  return *below + (place - std::floor(place)) * (above - *below);
}

bool piles_up(double queue_slope_per_h, std::size_t measured, double window_s) {
  const double arrivals_per_h = window_s > 0 ? 3600.0 * static_cast<double>(measured) / window_s : 0.0;
  return !(queue_slope_per_h <= stable_share * arrivals_per_h);
}

std::array<double, metric_count> compute_metrics(const Workload& workload, const JobRows& rows,
                                                 const std::vector<double>& mean_contention, double gpus,
                                                 double makespan_s, const Areas& areas) {
  std::vector<double> jct, rho;
  const auto measured = static_cast<std::size_t>(std::count(rows.measured.begin(), rows.measured.end(), 1));
  jct.reserve(measured);
  rho.reserve(measured);
  double jct_s = 0, wait_s = 0, bounded = 0;  // sums
  double preemptions = 0, migrations = 0, unfinished = 0;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    if (rows.measured[j] == 0) continue;
    preemptions += rows.preemptions[j];
    migrations += rows.migrations[j];
    if (rows.finished[j] == 0) {
      ++unfinished;
      continue;
    }
    const Job& job = workload.jobs[j];
    jct.push_back(rows.finish_s[j] - job.submit_s);
    jct_s += jct.back();
    wait_s += jct.back() - rows.exec_s[j];
    bounded += std::max(1.0, jct.back() / std::max(job.ideal_s(), bounded_slowdown_floor_s));
    rho.push_back(jct.back() / (job.ideal_s() * mean_contention[j]));
  }
  std::array<double, metric_count> metrics{};
  const auto set = [&](Metric metric, double value) { metrics[static_cast<std::size_t>(metric)] = value; };
  set(Metric::jct_mean_s, mean(jct_s, jct.size()));
  set(Metric::wait_mean_s, mean(wait_s, jct.size()));
  set(Metric::bounded_slowdown_mean, mean(bounded, jct.size()));
  set(Metric::jain, jain_index(rho));
  set(Metric::jct_p50_s, quantile(jct, 0.50));
  set(Metric::jct_p95_s, quantile(jct, 0.95));
  set(Metric::jct_p99_s, quantile(jct, 0.99));
  set(Metric::rho_p95, quantile(rho, 0.95));
  set(Metric::makespan_s, makespan_s);
  const double capacity = gpus * areas.horizon_s;
  set(Metric::alloc_fraction, capacity > 0 ? areas.allocated_s / capacity : nan);
  set(Metric::busy_fraction, capacity > 0 ? areas.busy_s / capacity : nan);
  set(Metric::effective_fraction, capacity > 0 ? areas.effective_s / capacity : nan);
  set(Metric::preemptions, preemptions);
  set(Metric::migrations, migrations);
  set(Metric::jobs_unfinished, unfinished);
  set(Metric::queue_slope, areas.queue_slope_per_h);
  const bool stable = areas.terminating || !piles_up(areas.queue_slope_per_h, measured, areas.window_s);
  set(Metric::stable, stable ? 1 : 0);
  return metrics;
}

}  // namespace palstudy
