// SPDX-License-Identifier: MIT
#include "analysis/job_metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/means_of_jobs.hpp"
#include "core/numbers.hpp"
#include "sim/output/metrics.hpp"
#include "sim/state/progress.hpp"
#include "stats/concentration.hpp"

namespace palstudy {
namespace {

constexpr double shortest_ideal_s = 10;  // Feitelson and Rudolph's bound of the slowdown

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? nan : sum / static_cast<double>(values.size());
}

// When the scheduler learns of what happens at `time_s`.
double instant(double time_s, double round_s) {
  return round_s > 0 ? boundary_s(boundary_at_or_after(time_s, round_s), round_s) : time_s;
}

// Work in seconds at slowdown 1 and penalty 1.
double work_s(const JobFacts& job) {
  if (job.outcome != Outcome::unknown) {
    return job.exec_s > 0 ? (job.exec_s - job.lost_s / job.gpus) / (job.slowdown * job.penalty) : 0.0;
  }
  if (!std::isnan(job.finish_s)) return job.ideal_s;
  return job.exec_s > 0 ? job.exec_s / (job.slowdown * job.penalty) : 0.0;
}

// The integral of contention up to each instant at which demand changes.
class Contention {
 public:
  Contention(const std::vector<JobFacts>& jobs, const RunFacts& run) {
    std::vector<std::pair<double, double>> changes;
    for (const JobFacts& job : jobs) {
      changes.emplace_back(instant(job.submit_s, run.round_s), job.gpus);
      if (!std::isnan(job.finish_s)) changes.emplace_back(instant(job.finish_s, run.round_s), -job.gpus);
    }
    std::sort(changes.begin(), changes.end());
    double demand = 0, area = 0, since = 0;
    for (const auto& [time, gpus] : changes) {
      area += (time - since) * std::max(1.0, demand / run.gpus);
      since = time;
      demand += gpus;
      if (!times_.empty() && times_.back() == time) {
        areas_.back() = area;
      } else {
        times_.push_back(time);
        areas_.push_back(area);
      }
    }
  }
  // At one of the instants.
  [[nodiscard]] double until(double time_s) const {
    return areas_[static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), time_s) - times_.begin())];
  }

 private:
  std::vector<double> times_, areas_;
};

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
    waiting += job.finish_s - job.submit_s - job.exec_s;
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

// What is summed up job by job.
struct Sums {
  std::vector<double> jct, wait, bounded, rho;
  double last_finish = nan, unfinished = 0, preemptions = 0, migrations = 0;
  Causes causes;
  OutcomeSums became;

  void add(const JobFacts& job, double migration_s) {
    preemptions += static_cast<double>(job.preemptions);
    migrations += static_cast<double>(job.migrations);
    if (std::isnan(job.finish_s)) {
      ++unfinished;
      return;
    }
    last_finish = std::fmax(last_finish, job.finish_s);
    jct.push_back(job.finish_s - job.submit_s);
    wait.push_back(jct.back() - job.exec_s);
    bounded.push_back(bounded_slowdown(jct.back(), job.ideal_s));
    rho.push_back(jct.back() / (job.ideal_s * job.contention));
    causes.add(job, migration_s);
    became.add(job);
  }
};

double jain(const std::vector<double>& rho) {
  double sum = 0, squares = 0;
  for (const double r : rho) {
    sum += 1 / r;
    squares += 1 / (r * r);
  }
  return rho.empty() ? nan : sum * sum / (static_cast<double>(rho.size()) * squares);
}

double part_of(double whole, double part, double sum) { return sum > 0 ? whole * part / sum : nan; }

}  // namespace

double bounded_slowdown(double jct_s, double ideal_s) {
  return std::max(1.0, jct_s / std::max(ideal_s, shortest_ideal_s));
}

void add_contention(std::vector<JobFacts>& jobs, const RunFacts& run) {
  const Contention contention(jobs, run);
  for (JobFacts& job : jobs) {
    if (std::isnan(job.finish_s)) continue;
    const double from = instant(job.submit_s, run.round_s), to = instant(job.finish_s, run.round_s);
    if (to > from) job.contention = (contention.until(to) - contention.until(from)) / (to - from);
  }
}

HeldSums held_sums(std::span<const JobFacts> jobs) {
  HeldSums sums;
  for (const JobFacts& job : jobs) {
    sums.allocated_s += job.gpus * job.exec_s;
    if (job.measured) sums.busy_s += job.gpus * job.exec_s;
    sums.effective_s += job.gpus * work_s(job);
  }
  return sums;
}

std::map<std::string, double> job_metrics(std::span<const JobFacts> group, const RunFacts& run, const HeldSums& all) {
  Sums sums;
  for (const JobFacts& job : group) {
    if (job.measured) sums.add(job, run.migration_s);
  }
  const HeldSums held = held_sums(group);
  std::map<std::string, double> metrics{
      {"jct_mean_s", mean(sums.jct)},
      {jct_log_mean, geometric_mean(sums.jct)},
      {"wait_mean_s", mean(sums.wait)},
      {"bounded_slowdown_mean", mean(sums.bounded)},
      {"makespan_s", sums.unfinished > 0 ? nan : sums.last_finish},
      {"alloc_fraction", part_of(run.alloc_fraction, held.allocated_s, all.allocated_s)},
      {"busy_fraction", part_of(run.busy_fraction, held.busy_s, all.busy_s)},
      {"effective_fraction", part_of(run.effective_fraction, held.effective_s, all.effective_s)},
      {"jain", jain(sums.rho)},
      {"preemptions", sums.preemptions},
      {"migrations", sums.migrations},
      {"jobs_unfinished", sums.unfinished}};
  std::sort(sums.jct.begin(), sums.jct.end());
  std::sort(sums.rho.begin(), sums.rho.end());
  metrics["jct_p50_s"] = quantile(sums.jct, 0.50);
  metrics["jct_p95_s"] = quantile(sums.jct, 0.95);
  metrics["jct_p99_s"] = quantile(sums.jct, 0.99);
  metrics["rho_p95"] = quantile(sums.rho, 0.95);
  sums.causes.set_shares(metrics);
  sums.became.set(metrics);
  return metrics;
}

}  // namespace palstudy
