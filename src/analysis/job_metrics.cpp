// SPDX-License-Identifier: MIT
#include "analysis/job_metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/job_groups.hpp"
#include "analysis/means_of_jobs.hpp"
#include "core/numbers.hpp"
#include "core/rounds.hpp"
#include "sim/output/step_integral.hpp"
#include "sim/state/progress.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {

namespace {

// Work in seconds at slowdown 1 and penalty 1.
double work_s(const JobFacts& job) {
  if (job.outcome != Outcome::unknown) {
    return job.exec_s > 0 ? (job.exec_s - job.lost_s / job.gpus) / (job.slowdown * job.penalty) : 0.0;
  }
  if (!std::isnan(job.finish_s)) return job.ideal_s;
  return job.exec_s > 0 ? job.exec_s / (job.slowdown * job.penalty) : 0.0;
}

// Seconds by cause. A job that ran at mean slowdown s and mean penalty p spent 1/(sp) of that time on its work; the
// rest is shared between the two causes as Shapley's value of a product of two factors does: each gets the mean of what
// it adds as the first and as the second. Exact where s and p did not change while it ran.
struct Causes {
  double work = 0, variability = 0, locality = 0, migration = 0, failures = 0, waiting = 0;
  double restarts_most = 0;  // part of the others

  void add(const JobFacts& job, double migration_s) {
    const double undone = std::min(job.exec_s, job.lost_s / job.gpus);
    const double moving = std::min(job.exec_s - undone, static_cast<double>(job.migrations) * migration_s);
    const double running = job.exec_s - undone - moving, s = job.slowdown, p = job.penalty;
    // Who starts again on the GPUs that it had, or at its next attempt, pays like one that moves and is no migration.
    // The rows count only how often it was stopped: at most so often.
    const auto stops = static_cast<double>(job.preemptions + job.attempts - 1);
    restarts_most += std::min(running, stops * migration_s);
    migration += moving;
    failures += undone;
    waiting += job.view().wait_s();
    if (running <= 0) return;
    work += running / (s * p);
    variability += running * (s - 1) * (p + 1) / (2 * s * p);
    locality += running * (p - 1) * (s + 1) / (2 * s * p);
  }
  void set_shares(std::map<std::string, double>& metrics) const {
    const double all = work + variability + locality + migration + failures + waiting;
    metrics["share_work"] = work / all;
    metrics["share_variability"] = variability / all;
    metrics["share_locality"] = locality / all;
    metrics["share_migration"] = migration / all;
    metrics["share_restarts_most"] = restarts_most / all;
    metrics["share_failures"] = failures / all;
    metrics["share_waiting"] = waiting / all;
  }
};

// What became of jobs, by number and by GPU time held, and what of that was for nothing.
struct OutcomeSums {
  double jobs = 0, attempts = 0, held_s = 0, lost_s = 0;
  std::array<double, outcome_count> jobs_by{}, held_by{};

  void add(const JobFacts& job) {
    if (job.outcome == Outcome::unknown) return;
    const auto outcome = static_cast<std::size_t>(job.outcome);
    const double held = job.gpus * job.exec_s;
    ++jobs, ++jobs_by[outcome];
    held_s += held, held_by[outcome] += held;
    attempts += static_cast<double>(job.attempts);
    lost_s += job.lost_s;
  }
  void set(std::map<std::string, double>& metrics) const {
    constexpr std::array<const char*, outcome_count> names = {"passed", "killed", "unsuccessful"};
    for (std::size_t i = 0; i < outcome_count; ++i) {
      metrics[std::string("jobs_") + names[i]] = jobs_by[i] / jobs;
      metrics[std::string("gpu_time_") + names[i]] = held_by[i] / held_s;
    }
    metrics["gpu_time_lost"] = lost_s / held_s;
    metrics["attempts_mean"] = attempts / jobs;
  }
};

double part_of(double whole, double part, double sum) { return sum > 0 ? whole * part / sum : nan; }

}  // namespace

void add_contention(std::span<JobFacts> jobs, const RunFacts& run) {
  std::vector<std::pair<double, double>> demand, number;
  const Rounds rounds(run.round_s);  // the scheduler learns of what has happened at the next start
  for (const JobFacts& job : jobs) {
    demand.emplace_back(rounds.start_s(job.submit_s), job.gpus);
    number.emplace_back(job.submit_s, 1.0);
    if (std::isnan(job.finish_s)) continue;
    demand.emplace_back(rounds.start_s(job.finish_s), -job.gpus);
    number.emplace_back(job.finish_s, -1.0);
  }
  const StepIntegral contended(std::move(demand), [&](double gpus) { return contention(gpus, run.gpus); });
  const StepIntegral active(std::move(number), [](double sum) { return sum; });
  for (JobFacts& job : jobs) {
    if (std::isnan(job.finish_s)) continue;
    const double from = rounds.start_s(job.submit_s), to = rounds.start_s(job.finish_s);
    job.contention = contended.mean(from, to, job.contention);
    job.rho = finish_time_fairness(job.view().jct_s(), job.ideal_s, job.gpus,
                                   active.mean(job.submit_s, job.finish_s, 1), run.gpus);
  }
}

HeldSums held_sums(std::span<const JobFacts> jobs) {
  HeldSums sums;
  for (const JobFacts& job : jobs) {
    sums.allocated_s += job.gpus * job.exec_s;
    if (job.measured) sums.busy_s += job.gpus * job.exec_s;
    sums.effective_s += job.gpus * work_s(job);
    if (job.slowdown < 1) sums.fast_s += job.gpus * job.exec_s;
  }
  return sums;
}

std::map<std::string, double> job_metrics(std::span<const JobFacts> group, const RunFacts& run, const HeldSums& all) {
  MetricSums sums;
  Causes causes;
  OutcomeSums outcomes;
  double rho_sum = 0, rho_max = nan;
  for (const JobFacts& job : group) {
    if (!job.measured) continue;
    sums.add(job.view());
    if (std::isnan(job.finish_s)) continue;
    rho_sum += job.rho;
    rho_max = std::fmax(rho_max, job.rho);
    causes.add(job, run.migration_s);
    outcomes.add(job);
  }
  const HeldSums held = held_sums(group);
  std::map<std::string, double> metrics{
      {jct_log_mean, geometric_mean(sums.jct_s())},
      {"gpu_time_share", part_of(1, held.allocated_s, all.allocated_s)},
      {"fast_gpu_share", part_of(1, held.fast_s, all.fast_s)},
      {"gpu_time_fast", part_of(1, held.fast_s, held.allocated_s)},
      {"rho_mean", sums.jct_s().empty() ? nan : rho_sum / static_cast<double>(sums.jct_s().size())},
      {"rho_max", rho_max},
      {"alloc_fraction", part_of(run.alloc_fraction, held.allocated_s, all.allocated_s)},
      {"busy_fraction", part_of(run.busy_fraction, held.busy_s, all.busy_s)},
      {"effective_fraction", part_of(run.effective_fraction, held.effective_s, all.effective_s)}};
  const MetricValues values = sums.take();
  for (const Metric metric : metrics_of_jobs) metrics.emplace(name_of(metric), value_of(values, metric));
  for (const Metric metric : metrics_of_contention) metrics.emplace(name_of(metric), value_of(values, metric));
  causes.set_shares(metrics);
  outcomes.set(metrics);
  return metrics;
}

void add_metrics_of_started_jobs(const ArchiveReader& archive, RunValues& runs) {
  const auto measured = job_column<std::int64_t>(archive, "measured");
  const auto submit_s = job_column<double>(archive, "submit_s"), start_s = job_column<double>(archive, "start_s");
  std::vector<double> waits, shares;
  for (const auto& [begin, end] : job_rows(runs, measured.size())) {
    double all = 0, started = 0, wait_s = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (measured[i] == 0) continue;
      ++all;
      if (std::isnan(start_s[i])) continue;
      ++started;
      wait_s += start_s[i] - submit_s[i];
    }
    waits.push_back(started > 0 ? wait_s / started : nan);
    shares.push_back(all > 0 ? started / all : nan);
  }
  runs.add(wait_started_mean, std::move(waits));
  runs.add(jobs_started, std::move(shares));
}

}  // namespace palstudy
