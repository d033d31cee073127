// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/run_values.hpp"
#include "sim/output/metrics.hpp"

namespace palstudy {

/// What became of a job in a run with failures; `unknown`: in any other, or it is not over.
enum class Outcome : std::uint8_t { passed, killed, unsuccessful, unknown };
inline constexpr std::size_t outcome_count = 3;

/// What the metrics need of one row of /jobs. (More than 15 members: a column each.)
struct JobFacts {
  double submit_s = 0, finish_s = 0, exec_s = 0, ideal_s = 0, gpus = 0, slowdown = 1, penalty = 1;
  std::int64_t preemptions = 0, migrations = 0;
  bool measured = false;
  Outcome outcome = Outcome::unknown;
  std::int64_t attempts = 1;
  double power_wait_s = 0;
  double lost_s = 0;      ///< GPU-seconds that failures have undone
  double contention = 1;  ///< time mean over its stay; set by `add_contention`
  double rho = 0;         ///< finish-time fairness by the number of jobs, of a finished job; set by `add_contention`

  [[nodiscard]] JobView view() const {
    return {submit_s,
            finish_s,
            exec_s,
            ideal_s,
            contention,
            static_cast<double>(preemptions),
            static_cast<double>(migrations),
            power_wait_s};
  }
};

/// What they need of its run.
struct RunFacts {
  double gpus = 0;
  double round_s = 0;  ///< 0: the scheduler acts at every event
  double migration_s = 0;
  double alloc_fraction = 0, busy_fraction = 0, effective_fraction = 0;  ///< as in /runs, shared out among the groups
};

/// Sets every finished job's `contention` and `rho` from when the jobs of the run (all of them) came and went;
/// contention as the engine saw it, at boundaries.
void add_contention(std::span<JobFacts> jobs, const RunFacts& run);

/// Sums over all jobs of a run; of these a group has its share of the run's fractions.
struct HeldSums {
  double allocated_s = 0, busy_s = 0, effective_s = 0;
  double fast_s = 0;  ///< held by jobs whose mean slowdown is under 1: their GPUs are faster than the median
};
[[nodiscard]] HeldSums held_sums(std::span<const JobFacts> jobs);

/// The metrics of docs/concepts/metrics.md over a group of the jobs of a run, its time by cause, and what became of its
/// jobs, by name. Those of the queue as a whole (queue_slope, stable) are not among them.
[[nodiscard]] std::map<std::string, double> job_metrics(std::span<const JobFacts> group, const RunFacts& run,
                                                        const HeldSums& all);

/// Metrics of the jobs that started: no archive stores them, and a run that left jobs unfinished has them as well.
inline constexpr const char* wait_started_mean = "wait_started_mean_s";
inline constexpr const char* jobs_started = "jobs_started";

/// Adds both to the runs, from the rows of /jobs; NaN of runs without such a job. `runs` are not spread yet.
/// Errors (data): the archive has no /jobs, or a run points outside it.
void add_metrics_of_started_jobs(const ArchiveReader& archive, RunValues& runs);

}  // namespace palstudy
