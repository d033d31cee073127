// SPDX-License-Identifier: MIT
#include "sim/output/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/numbers.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

/// A window is called stable if less than this share of its arrivals piles up in the queue.
constexpr double stable_share = 0.05;

/// NaN if there are none.
double mean(double sum, std::size_t count) { return count == 0 ? nan : sum / static_cast<double>(count); }

constexpr MetricTraits is_quantile{.quantile = true};
constexpr MetricTraits is_use_of_gpus{.larger_is_better = true, .until_end = true};
constexpr MetricTraits is_better_if_larger{.larger_is_better = true};
constexpr MetricTraits is_known_at_the_end{.until_end = true};
constexpr MetricTraits is_of_whole_run{.of_whole_run = true};
constexpr MetricTraits is_energy{.of_whole_run = true, .until_end = true};
template <auto value>
constexpr MetricTraits is_mean_of{.mean_of = value};

}  // namespace

const std::array<MetricInfo, metric_count> metric_infos = {{
    {"jct_mean_s", "s", MetricType::real, "mean job completion time (finish - submit) of measured jobs",
     MetricUse::always, is_mean_of<&JobView::jct_s>},
    {"jct_p50_s", "s", MetricType::real, "median job completion time of measured jobs, linear interpolation",
     MetricUse::always, is_quantile},
    {"jct_p95_s", "s", MetricType::real, "95th percentile of the job completion time of measured jobs",
     MetricUse::always, is_quantile},
    {"jct_p99_s", "s", MetricType::real, "99th percentile of the job completion time of measured jobs",
     MetricUse::always, is_quantile},
    {"wait_mean_s", "s", MetricType::real, "mean time in which a measured job held no GPUs (jct - exec)",
     MetricUse::always, is_mean_of<&JobView::wait_s>},
    {"bounded_slowdown_mean", "1", MetricType::real,
     "mean of max(1, jct / max(ideal, 10 s)) over measured jobs, ideal at slowdown 1 and penalty 1", MetricUse::always,
     is_mean_of<&JobView::bounded_slowdown>},
    {"makespan_s", "s", MetricType::real, "last finish of a measured job, from time 0; NaN if one is unfinished"},
    {"alloc_fraction", "1", MetricType::real,
     "GPU-seconds held by all jobs / (GPUs x makespan); up to the end of the run if a measured job is unfinished; NaN "
     "if "
     "that is time 0",
     MetricUse::always, is_use_of_gpus},
    {"busy_fraction", "1", MetricType::real, "GPU-seconds held by measured jobs / (GPUs x makespan); NaN if that is 0",
     MetricUse::always, is_use_of_gpus},
    {"effective_fraction", "1", MetricType::real,
     "GPU-seconds of work of all jobs at slowdown 1 and penalty 1 / (GPUs x makespan); NaN if that is 0",
     MetricUse::always, is_use_of_gpus},
    {"rho_p95", "1", MetricType::real,
     "95th percentile of the finish-time fairness rho = jct / (ideal x mean of max(1, GPU demand / GPUs) over its "
     "stay), "
     "after Themis (NSDI'20)",
     MetricUse::always, is_quantile},
    {"jain", "1", MetricType::real, "Jain's fairness index of 1 / rho over measured jobs that held GPUs",
     MetricUse::always, is_better_if_larger},
    {"preemptions", "1", MetricType::count, "times a measured job was stopped and left with no GPUs"},
    {"migrations", "1", MetricType::count, "times a measured job was launched on other GPUs than it had held before"},
    {"jobs_unfinished", "1", MetricType::count, "measured jobs that had not finished when the run ended",
     MetricUse::always, is_known_at_the_end},
    {"queue_slope", "1/h", MetricType::real,
     "least-squares slope of the number of queued jobs while measured jobs arrive", MetricUse::always, is_of_whole_run},
    {"stable", "1", MetricType::count,
     "1 if less than 5 % of the arrivals of the window pile up in the queue, or if the measured jobs begin with the "
     "first one, so that no steady state is claimed; else 0",
     MetricUse::always, is_of_whole_run},
    {"energy_j", "J", MetricType::real,
     "energy of all nodes from time 0 to power.horizon_s, times power.pue; NaN where it is not accounted",
     MetricUse::energy, is_energy},
    {"energy_delay", "J.s", MetricType::real, "energy_j x jct_mean_s; NaN where one of them is", MetricUse::energy,
     is_of_whole_run},
    {"joules_per_gpu_hour", "J/h", MetricType::real,
     "energy_j / GPU-hours of work at slowdown 1 and penalty 1 that all jobs did up to power.horizon_s; NaN where they "
     "did "
     "none or energy is not accounted",
     MetricUse::energy, is_energy},
    {"power_wait_mean_s", "s", MetricType::real,
     "mean time for which a measured job waited for nodes to be powered on, part of wait_mean_s; NaN in runs that "
     "power none off",
     MetricUse::power},
    {"reservation_violations", "1", MetricType::count,
     "measured jobs that started later than a backfill had first promised; only of studies with reservations",
     MetricUse::estimates, is_of_whole_run},
    {"jobs_overrun_killed", "1", MetricType::count,
     "measured jobs that were killed when they outlived their expected end; only of studies with reservations or "
     "overrun \"kill\"",
     MetricUse::estimates, is_of_whole_run},
}};

double quantile(std::vector<double>& values, double share) {
  if (values.empty()) return nan;
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), below, values.end());
  const double above = below + 1 == values.end() ? *below : *std::min_element(below + 1, values.end());
  return sorted_quantile(std::array{*below, above}, place - std::floor(place));
}

bool piles_up(double queue_slope_per_h, std::size_t measured, double window_s) {
  const double arrivals_per_h = window_s > 0 ? 3600.0 * static_cast<double>(measured) / window_s : 0.0;
  return !(queue_slope_per_h <= stable_share * arrivals_per_h);
}

void JainSums::add(double rho) {
  sum_ += 1 / rho;
  squares_ += 1 / (rho * rho);
  ++count_;
}

double JainSums::index() const { return count_ == 0 ? nan : sum_ * sum_ / (static_cast<double>(count_) * squares_); }

void MetricSums::reserve(std::size_t jobs) {
  jct_s_.reserve(jobs);
  rho_.reserve(jobs);
}

void MetricSums::add(const JobView& job) {
  preemptions_ += job.preemptions;
  migrations_ += job.migrations;
  if (std::isnan(job.finish_s)) {
    ++unfinished_;
    return;
  }
  last_finish_s_ = std::fmax(last_finish_s_, job.finish_s);
  jct_s_.push_back(job.jct_s());
  jct_sum_s_ += job.jct_s();
  wait_sum_s_ += job.wait_s();
  power_wait_sum_s_ += job.power_wait_s;
  bounded_sum_ += job.bounded_slowdown();
  rho_.push_back(job.rho());
  if (job.exec_s > 0) jain_.add(job.rho());
}

MetricValues MetricSums::take() {
  MetricValues metrics;
  metrics.fill(nan);
  const auto set = [&](Metric metric, double value) { metrics[static_cast<std::size_t>(metric)] = value; };
  set(Metric::jct_mean_s, mean(jct_sum_s_, jct_s_.size()));
  set(Metric::wait_mean_s, mean(wait_sum_s_, jct_s_.size()));
  set(Metric::power_wait_mean_s, mean(power_wait_sum_s_, jct_s_.size()));
  set(Metric::bounded_slowdown_mean, mean(bounded_sum_, jct_s_.size()));
  set(Metric::makespan_s, unfinished_ > 0 ? nan : last_finish_s_);
  set(Metric::jain, jain_.index());
  set(Metric::jct_p50_s, quantile(jct_s_, 0.50));
  set(Metric::jct_p95_s, quantile(jct_s_, 0.95));
  set(Metric::jct_p99_s, quantile(jct_s_, 0.99));
  set(Metric::rho_p95, quantile(rho_, 0.95));
  set(Metric::preemptions, preemptions_);
  set(Metric::migrations, migrations_);
  set(Metric::jobs_unfinished, unfinished_);
  return metrics;
}

void set_energy(MetricValues& metrics, std::span<const double> energy_j, std::span<const double> work_s) {
  const double joules = std::accumulate(energy_j.begin(), energy_j.end(), 0.0);
  const double work = std::accumulate(work_s.begin(), work_s.end(), 0.0);
  const auto set = [&](Metric metric, double value) { metrics[static_cast<std::size_t>(metric)] = value; };
  set(Metric::energy_j, joules);
  set(Metric::energy_delay, joules * value_of(metrics, Metric::jct_mean_s));
  set(Metric::joules_per_gpu_hour, work > 0 ? joules / (work / hour_s) : nan);
}

MetricValues compute_metrics(const Workload& workload, const JobRows& rows, const std::vector<double>& mean_contention,
                             double gpus, const Areas& areas, bool kills_overruns,
                             const std::vector<double>& power_wait_s) {
  MetricSums sums;
  const auto measured = static_cast<std::size_t>(std::count(rows.measured.begin(), rows.measured.end(), 1));
  sums.reserve(measured);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    if (rows.measured[j] == 0) continue;
    const Job& job = workload.jobs[j];
    const double finish_s = rows.finished[j] != 0 ? rows.finish_s[j] : nan;
    sums.add({job.submit_s, finish_s, rows.exec_s[j], job.ideal_s(), mean_contention[j],
              static_cast<double>(rows.preemptions[j]), static_cast<double>(rows.migrations[j]),
              power_wait_s.empty() ? 0.0 : power_wait_s[j]});
  }
  const auto count_measured = [&](auto holds) {
    std::size_t jobs = 0;
    for (std::size_t j = 0; j < rows.size(); ++j) jobs += rows.measured[j] != 0 && holds(j) ? 1 : 0;
    return static_cast<double>(jobs);
  };
  MetricValues metrics = sums.take();
  const auto set = [&](Metric metric, double value) { metrics[static_cast<std::size_t>(metric)] = value; };
  const double capacity = gpus * areas.horizon_s;
  set(Metric::alloc_fraction, capacity > 0 ? areas.allocated_s / capacity : nan);
  set(Metric::busy_fraction, capacity > 0 ? areas.busy_s / capacity : nan);
  set(Metric::effective_fraction, capacity > 0 ? areas.effective_s / capacity : nan);
  set(Metric::queue_slope, areas.queue_slope_per_h);
  const bool stable = areas.terminating || !piles_up(areas.queue_slope_per_h, measured, areas.window_s);
  set(Metric::stable, stable ? 1 : 0);
  set(Metric::reservation_violations, count_measured([&](std::size_t j) { return rows.late[j] != 0; }));
  const auto killed = [&](std::size_t j) { return rows.status.at(j) == JobStatus::killed; };
  set(Metric::jobs_overrun_killed, kills_overruns ? count_measured(killed) : 0);
  return metrics;
}

}  // namespace palstudy
