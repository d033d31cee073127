// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/ids.hpp"
#include "sim/state/delays.hpp"
#include "sim/state/solves.hpp"

namespace palstudy {

enum class MetricType { real, count };

/// Which studies a metric is of: all, those that account energy, those in which nodes are powered off, those in which
/// the estimates of users matter.
/// A stored metric enters the digest of every run that has it, so a new one of `always` would change all digests: what
/// follows from /jobs is made by `compare` instead (analysis/compared_metrics.cpp).
enum class MetricUse { always, energy, power, estimates };

struct JobView;

/// What a comparison of runs by a metric has to know of it.
struct MetricTraits {
  bool quantile = false;  ///< of jobs: its interval is a bootstrap's
  bool larger_is_better = false;
  bool of_whole_run = false;  ///< cannot be had for a part of the jobs
  bool until_end = false;     ///< needs no finish: of a run that left jobs unfinished it is up to the end of the run
  double (JobView::*mean_of)() const = nullptr;  ///< of which value of each finished job it is the mean, if it is one
};

/// All that is said of a metric: what /runs holds of it, what `palstudy list metrics` and docs/ say of it, and how runs
/// are compared by it.
struct MetricInfo {
  std::string_view name;
  std::string_view unit;  ///< "1" for a ratio
  MetricType type;
  std::string_view summary;
  MetricUse use = MetricUse::always;  ///< where it is not used, it has no column
  MetricTraits traits{};
};

/// Every metric of a run, in the order of the columns of /runs. Definitions: sim/output/metrics.cpp.
enum class Metric : std::size_t {
  jct_mean_s,
  jct_p50_s,
  jct_p95_s,
  jct_p99_s,
  wait_mean_s,
  bounded_slowdown_mean,
  makespan_s,
  alloc_fraction,
  busy_fraction,
  effective_fraction,
  rho_p95,
  jain,
  preemptions,
  migrations,
  jobs_unfinished,
  queue_slope,
  stable,
  energy_j,
  energy_delay,
  joules_per_gpu_hour,
  power_wait_mean_s,
  reservation_violations,
  jobs_overrun_killed,
  count
};
inline constexpr std::size_t metric_count = static_cast<std::size_t>(Metric::count);
extern const std::array<MetricInfo, metric_count> metric_infos;

/// What became of a job whose attempts may fail; `none` in runs without failures, and of jobs that are not over.
enum class JobStatus : std::uint8_t { none, passed, killed, unsuccessful };

/// One row a job that had arrived when the run ended, by ascending JobId; arrays of one length.
struct JobRows {
  std::vector<JobId> job;
  std::vector<std::int32_t> partition;    // that it was routed to last; -1: it is wider than any and runs on several
  std::vector<double> start_s, finish_s;  // NaN: never started, unfinished
  std::vector<double> exec_s;             // seconds in which it held GPUs
  std::vector<std::uint8_t> finished, measured;
  std::vector<std::uint8_t> late;                   // started after the time that a backfill had first promised
  std::vector<std::uint32_t> attempts;              // 1 once it has started; more with failures
  std::vector<double> slowdown_mean, penalty_mean;  // time means over exec_s; NaN if it never ran
  std::vector<std::uint32_t> preemptions, migrations;
  std::vector<JobStatus> status;  // empty in a run without failures where nothing is killed
  [[nodiscard]] std::size_t size() const { return job.size(); }
  void resize(std::size_t size);
  template <class Use>
  static void each(Use use) {
    use(&JobRows::job), use(&JobRows::partition), use(&JobRows::start_s), use(&JobRows::finish_s);
    use(&JobRows::exec_s), use(&JobRows::finished), use(&JobRows::measured), use(&JobRows::late);
    use(&JobRows::attempts), use(&JobRows::slowdown_mean), use(&JobRows::penalty_mean);
    use(&JobRows::preemptions), use(&JobRows::migrations), use(&JobRows::status);
  }
  void serialize(auto& archive, unsigned /*version*/) {
    each([&](auto column) { (archive & this->*column); });
  }
};

enum class EventKind : std::uint8_t { finish, stop, launch };

/// Changes only, ordered by time, kind, job. The GPUs of event i are gpus[gpu_begin[i] .. + gpu_count[i]], ascending.
struct EventRows {
  std::vector<double> time_s;
  std::vector<EventKind> kind;
  std::vector<JobId> job;
  std::vector<std::uint64_t> gpu_begin;
  std::vector<std::uint32_t> gpu_count;
  std::vector<std::uint32_t> gpus;
  [[nodiscard]] std::size_t size() const { return job.size(); }
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & time_s & kind & job & gpu_begin & gpu_count & gpus);
  }
};

/// The state after a boundary, where it differs from the row before.
struct RoundRows {
  std::vector<double> time_s;
  std::vector<std::uint32_t> queued, running, free_gpus;
  std::vector<std::uint64_t> demand_gpus;  // of queued and running jobs
  [[nodiscard]] std::size_t size() const { return time_s.size(); }
  /// A row, unless it is that of the one before.
  void add(double from_s, std::uint32_t queued_jobs, std::uint32_t running_jobs, std::uint32_t gpus_free,
           std::uint64_t gpus_wanted);
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & time_s & queued & running & free_gpus & demand_gpus);
  }
};

/// An attempt that failed.
struct FailedAttempt {
  JobId job;
  std::uint32_t attempt = 1;  ///< from 1
  std::int32_t reason = 0;    ///< index into the table of failures
  std::uint32_t gpus = 0;     ///< that it held; 0: it failed in validation, before it had any
  std::int64_t node = -1;     ///< at fault; -1: none in particular
  std::int64_t gpu = -1;      ///< at fault; -1: none in particular
  double time_s = 0;          ///< when it failed
  double run_s = 0;           ///< for how long it had run
  double lost_s = 0;          ///< GPU-seconds that were for nothing
};

/// Ordered by time, job, attempt; arrays of one length.
struct FailureRows {
  std::vector<JobId> job;
  std::vector<std::uint32_t> attempt;
  std::vector<std::int32_t> reason;
  std::vector<std::uint32_t> gpus;
  std::vector<std::int64_t> node, gpu;
  std::vector<double> time_s, run_s, lost_s;
  [[nodiscard]] std::size_t size() const { return job.size(); }
  [[nodiscard]] FailedAttempt at(std::size_t row) const;
  void push_back(const FailedAttempt& failed);
  [[nodiscard]] auto place(std::size_t row) const { return std::tuple(time_s[row], job[row], attempt[row]); }
  void append(const FailureRows& from, std::size_t row) { push_back(from.at(row)); }
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & job & attempt & reason & gpus & node & gpu & time_s & run_s & lost_s);
  }
};

/// The state of a node: busy with jobs, idle, or unable to hold any.
enum class PowerState : std::uint8_t { busy, idle, stopping, off, booting };
inline constexpr std::size_t power_states = 5;

/// Where the energy of a run went, from time 0 to the horizon: a row for each class of jobs on busy nodes, one for the
/// GPUs that no job computes on there, and one for each other state. Arrays of one length; their sums are whole: the
/// nodes x the horizon, the GPUs x the horizon, all the energy.
struct PowerRows {
  std::vector<PowerState> state;
  std::vector<std::int32_t> cls;  // class of the jobs; -1: none
  std::vector<double> node_s;     // busy nodes are shared among classes by their GPUs there
  std::vector<double> gpu_s;
  std::vector<double> work_s;  // GPU-seconds of work at slowdown 1 and penalty 1
  std::vector<double> energy_j;
  [[nodiscard]] std::size_t size() const { return state.size(); }
  void push_back(PowerState of, std::int32_t of_class, double nodes_s, double gpus_s, double done_s, double joules);
  /// Adds the values of another part of the cluster, row by row.
  void add(const PowerRows& part);
  void serialize(auto& archive, unsigned /*version*/) { (archive & state & cls & node_s & gpu_s & work_s & energy_j); }
};

/// What the engine did; exact, and the same on every machine, so that regressions show as counts.
struct EngineCounts {
  std::uint64_t boundaries = 0;  ///< instants that were looked at
  std::uint64_t placements = 0;  ///< requests put to the placement policy
  std::uint64_t index_queries = 0, index_updates = 0, index_moves = 0;
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & boundaries & placements & index_queries & index_updates & index_moves);
  }
};

/// The rows that the engine writes as it runs, of a partition or of a run: their copy to other ranks and to
/// checkpoints, and the rows of the run (`merged`, in sim/output/merge_rows.hpp), follow from `each`.
struct RunTables {
  EventRows events;
  RoundRows rounds;
  FailureRows failures;
  DelayRows delays;  ///< a row for each of the jobs; none without tenants
  PowerRows power;   ///< none where energy is not accounted
  SolveRows solves;  ///< none where the scheduler solves no linear program
  template <class Use>
  static void each(Use use) {
    use(&RunTables::events), use(&RunTables::rounds), use(&RunTables::failures);
    use(&RunTables::delays), use(&RunTables::power), use(&RunTables::solves);
  }
};

/// All that comes out of one run.
struct RunResult : RunTables {
  std::array<double, metric_count> metrics{};
  JobRows jobs;
  bool with_failures = false;                ///< attempts could fail
  std::vector<std::string> failure_reasons;  ///< names, by FailureRows::reason
  std::vector<double> node_busy_s;           ///< by node: GPU-seconds allocated
  EngineCounts counts;
  std::vector<double> job_energy_j;  ///< by JobId, of GPUs and the jobs' shares of base power; empty without an account
  std::vector<double> power_wait_s;  ///< by JobId: waited for nodes to be powered on; empty where all stay on
  [[nodiscard]] double metric(Metric m) const { return metrics[static_cast<std::size_t>(m)]; }
};

}  // namespace palstudy
