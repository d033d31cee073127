// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "sim/result.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// What the metrics need of one job, as the engine has it or as a row of /jobs has it.
struct JobView {
  double submit_s = 0, finish_s = 0;  ///< finish_s: NaN if the job did not finish
  double exec_s = 0, ideal_s = 0;
  double mean_contention = 1;  ///< time mean of `contention` over its stay
  double preemptions = 0, migrations = 0;
  double power_wait_s = 0;  ///< part of wait_s, for nodes to be powered on

  [[nodiscard]] double jct_s() const { return finish_s - submit_s; }
  [[nodiscard]] double wait_s() const { return jct_s() - exec_s; }
  /// Jobs shorter than 10 s count as 10 s (Feitelson and Rudolph, JSSPP'98).
  [[nodiscard]] double bounded_slowdown() const { return std::max(1.0, jct_s() / std::max(ideal_s, 10.0)); }
  /// Finish-time fairness (Themis, NSDI'20).
  [[nodiscard]] double rho() const { return jct_s() / (ideal_s * mean_contention); }
};

using MetricValues = std::array<double, metric_count>;
[[nodiscard]] inline double value_of(const MetricValues& values, Metric metric) {
  return values[static_cast<std::size_t>(metric)];
}
[[nodiscard]] inline std::string name_of(Metric metric) {
  return std::string(metric_infos[static_cast<std::size_t>(metric)].name);
}

/// The metrics that follow from jobs alone, and those that need the contention that each job met as well. All others
/// are of a whole run.
inline constexpr std::array metrics_of_jobs = {
    Metric::jct_mean_s,      Metric::jct_p50_s,        Metric::jct_p95_s,
    Metric::jct_p99_s,       Metric::wait_mean_s,      Metric::bounded_slowdown_mean,
    Metric::makespan_s,      Metric::preemptions,      Metric::migrations,
    Metric::jobs_unfinished, Metric::power_wait_mean_s};
inline constexpr std::array metrics_of_contention = {Metric::rho_p95, Metric::jain};
/// Those that follow from the rows of /power and the mean completion time.
inline constexpr std::array metrics_of_energy = {Metric::energy_j, Metric::energy_delay, Metric::joules_per_gpu_hour};

/// Jain's index of x_j = 1 / rho_j: 1 if all are treated alike (Jain, Chiu, Hawe, 1984).
class JainSums {
 public:
  void add(double rho);
  /// NaN of none.
  [[nodiscard]] double index() const;

 private:
  double sum_ = 0, squares_ = 0;
  std::size_t count_ = 0;
};

/// Computes the metrics of a group of measured jobs. Sums are made in the order in which the jobs are added.
class MetricSums {
 public:
  void reserve(std::size_t jobs);
  void add(const JobView& job);
  /// Measured jobs that had not even arrived.
  void add_unfinished(std::size_t jobs) { unfinished_ += static_cast<double>(jobs); }
  /// Of the jobs that finished, in the order in which they were added.
  [[nodiscard]] const std::vector<double>& jct_s() const { return jct_s_; }
  /// By Metric; NaN for those of a whole run. Nothing can be added afterwards.
  [[nodiscard]] MetricValues take();

 private:
  std::vector<double> jct_s_, rho_;
  JainSums jain_;  // without jobs that ended on their arrival: the rho of those is 0, or near it
  double jct_sum_s_ = 0, wait_sum_s_ = 0, power_wait_sum_s_ = 0, bounded_sum_ = 0, last_finish_s_ = std::nan("");
  double preemptions_ = 0, migrations_ = 0, unfinished_ = 0;
};

/// What the metrics need beside the rows of the jobs; GPU-seconds up to `horizon_s`.
struct Areas {
  double horizon_s = 0;  ///< the makespan, or the end of the run if a measured job is unfinished
  double allocated_s = 0, busy_s = 0, effective_s = 0;
  double queue_slope_per_h = 0;  ///< least-squares slope of the queue length while measured jobs arrive
  bool terminating = true;       ///< measured from the first job on: no steady state is claimed
  double window_s = 0;           ///< from the first to the last arrival of a measured job
};

/// Sets the metrics of energy from two columns of /power, summed in the order of its rows, and jct_mean_s.
void set_energy(MetricValues& metrics, std::span<const double> energy_j, std::span<const double> work_s);

/// `sorted_quantile` of values in any order, which it changes; NaN of none. Selects, since sorting the jobs of a large
/// machine takes a tenth of its run.
[[nodiscard]] double quantile(std::vector<double>& values, double share);

/// Whether so much of the arrivals of `measured` jobs within `window_s` piles up in the queue that it is not stable.
[[nodiscard]] bool piles_up(double queue_slope_per_h, std::size_t measured, double window_s);

/// Every metric of a run. `mean_contention`, `power_wait_s`: by job; the latter may be empty.
[[nodiscard]] MetricValues compute_metrics(const Workload& workload, const JobRows& rows,
                                           const std::vector<double>& mean_contention, double gpus, const Areas& areas,
                                           bool kills_overruns = false, const std::vector<double>& power_wait_s = {});

}  // namespace palstudy
