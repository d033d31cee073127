// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/time_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "sim/scheduler/gavel/share_program.hpp"

namespace palstudy {

std::uint32_t ShareProblem::reach(std::size_t type) const {
  if (!nested) return gpus[type];
  return std::accumulate(gpus.begin(), gpus.begin() + static_cast<std::ptrdiff_t>(type) + 1, 0u);
}

double equal_share_speed(const ShareProblem& problem, const ShareJob& job) {
  const auto speeds = problem.speeds_of(job);
  double sum = 0, all = 0;
  for (std::size_t k = 0; k < problem.types(); ++k) {
    sum += speeds[k] * problem.gpus[k];
    all += problem.gpus[k];
  }
  return sum / all;
}

double isolated_speed(const ShareProblem& problem, const ShareJob& job) {
  const auto speeds = problem.speeds_of(job);
  const double parts = static_cast<double>(problem.jobs.size()) * job.gpus;
  double sum = 0, time = 0;
  for (std::size_t k = 0; k < problem.types(); ++k) {
    sum += speeds[k] * problem.gpus[k] / parts;
    time += problem.gpus[k] / parts;
  }
  return sum / std::max(time, 1.0);
}

double speed_on(const ShareProblem& problem, const std::vector<double>& x, std::size_t job) {
  const auto speeds = problem.speeds_of(problem.jobs[job]);
  double sum = 0;
  for (std::size_t k = 0; k < problem.types(); ++k) sum += speeds[k] * x[job * problem.types() + k];
  return sum;
}

namespace {

TimeShares finished(ShareProgram& program, double primal, double dual) {
  TimeShares shares{program.canonical(), primal, dual, static_cast<std::uint32_t>(program.groups().size()), 0};
  shares.iterations = program.iterations();
  return shares;
}

TimeShares maximize(const ShareProblem& problem, std::vector<ShareGroup> groups,
                    ShareLevel of = ShareLevel::least_speed) {
  ShareProgram program(problem, std::move(groups), of);
  const LinearSolution best = program.maximize_level();
  program.keep_level(best.objective);
  const double bound = of == ShareLevel::least_speed ? program.bound_of_members(best) : best.dual_objective;
  return finished(program, best.objective, bound);
}

/// Groups with a price are at the common level in every best division (complementary slackness), so they are fixed
/// there. One that is fixed only by the next division costs one division more and changes nothing.
TimeShares fill_with_water(const ShareProblem& problem, std::vector<ShareGroup> groups) {
  ShareProgram program(problem, std::move(groups));
  std::optional<LinearSolution> first;
  std::vector<std::uint8_t> fixed(program.groups().size());
  for (std::size_t left = fixed.size(); left > 0;) {
    const LinearSolution level = program.maximize_level();
    if (!first) first = level;
    double most = 0;
    for (std::size_t g = 0; g < fixed.size(); ++g) {
      if (!fixed[g]) most = std::max(most, program.dual_weight(level, g));
    }
    for (std::size_t g = 0; g < fixed.size(); ++g) {
      if (fixed[g] || program.dual_weight(level, g) < std::min(most, 1e-6)) continue;
      program.fix_level(g, level.objective);
      fixed[g] = 1;
      --left;
    }
  }
  return finished(program, first->objective, first->dual_objective);
}

/// A makespan that none can beat: of the longest job alone; and for many jobs, so that most of them need less than all
/// of their time, where all GPUs are the fastest for all jobs.
double least_makespan_s(const ShareProblem& problem) {
  double longest_s = 0, gpu_s = 0;
  for (const ShareJob& job : problem.jobs) {
    const double fastest = fastest_speed(problem, job);
    if (fastest == 0) continue;
    longest_s = std::max(longest_s, job.remaining_s / fastest);
    gpu_s += job.gpus * job.remaining_s / fastest;
  }
  const double all_s = gpu_s / std::accumulate(problem.gpus.begin(), problem.gpus.end(), 0u);
  const double least_s = problem.jobs.size() > by_bucket_above ? std::max(longest_s, all_s) : longest_s;
  return least_s == 0 ? 1 : least_s;
}

TimeShares minimize_makespan(const ShareProblem& problem) {
  const double least_s = least_makespan_s(problem);
  std::vector<double> need;
  for (const ShareJob& job : problem.jobs) need.push_back(job.remaining_s / least_s);
  TimeShares shares = maximize(problem, group_jobs(problem, need, true));
  shares.primal = least_s / shares.primal;
  shares.dual = least_s / shares.dual;
  return shares;
}

/// Finish-time fairness: rho = (age + remaining / speed) / isolated, so a bound on rho is a need for speed.
class FairFinishes {
 public:
  explicit FairFinishes(const ShareProblem& problem) : problem_(problem) {
    for (const ShareJob& job : problem.jobs) {
      isolated_.push_back(job.isolated_s + job.remaining_s / isolated_speed(problem, job));
      const double fastest = fastest_speed(problem, job);
      if (fastest > 0) least_ = std::max(least_, (job.age_s + job.remaining_s / fastest) / isolated_.back());
    }
  }

  TimeShares solve();

 private:
  [[nodiscard]] double need(std::uint32_t job, double rho) const {
    const ShareJob& j = problem_.jobs[job];
    return j.remaining_s / (rho * isolated_[job] - j.age_s);
  }
  [[nodiscard]] double most_need(const ShareGroup& group, double rho) const {
    double most = 0;
    for (const std::uint32_t job : group.members) most = std::max(most, need(job, rho));
    return most;
  }
  [[nodiscard]] double mean_need(const ShareGroup& group, double rho) const {
    double sum = 0;
    for (const std::uint32_t job : group.members) sum += need(job, rho);
    return sum / static_cast<double>(group.members.size());
  }
  [[nodiscard]] std::vector<double> needs(const std::vector<std::uint32_t>& jobs, double rho) const {
    std::vector<double> all;
    for (const std::uint32_t job : jobs) all.push_back(need(job, rho));
    return all;
  }
  TimeShares solve_from(double least);
  enum class Divisions { equal_in_groups, all };
  [[nodiscard]] double bound(ShareProgram& program, const LinearSolution& solution, double least, Divisions of) const;
  [[nodiscard]] double rho_on(const std::vector<double>& x, const std::vector<ShareGroup>& groups) const;

  const ShareProblem& problem_;
  std::vector<double> isolated_;  // by job: time from its submission to its end on isolated shares
  double least_ = 0;              // rho where every job had the fastest GPUs for itself
};

double FairFinishes::rho_on(const std::vector<double>& x, const std::vector<ShareGroup>& groups) const {
  double most = 0;
  for (const ShareGroup& group : groups) {
    for (const std::uint32_t i : group.members) {
      const ShareJob& job = problem_.jobs[i];
      most = std::max(most, (job.age_s + job.remaining_s / speed_on(problem_, x, i)) / isolated_[i]);
    }
  }
  return most;
}

/// A rho that none can beat, at least `least`, which is known to be one: the row prices of any one rho bound the level
/// at all others, by level(rho) * sum of dual weights at rho / that at the other, and a level below 1 is not enough.
double FairFinishes::bound(ShareProgram& program, const LinearSolution& solution, double least, Divisions of) const {
  const auto& groups = program.groups();
  double weights = 0;
  std::vector<double> weight(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    weights += program.dual_weight(solution, g);
    weight[g] = program.dual_weight(solution, g) / groups[g].need;
  }
  const auto enough = [&](double other) {
    double sum = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (!(weight[g] > 0)) continue;
      const bool mean = groups[g].pool || of == Divisions::all;
      sum += weight[g] * (mean ? mean_need(groups[g], other) : most_need(groups[g], other));
    }
    return sum <= solution.dual_objective * weights;
  };
  if (enough(least)) return least;
  double low = least, high = 2 * least;
  while (!enough(high)) low = high, high *= 2;
  while (high - low > 4 * std::numeric_limits<double>::epsilon() * high) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    (enough(middle) ? high : low) = middle;
  }
  return low;
}

/// Raises a lower bound on rho until a division reaches it. Each step takes the prices of the last one, so that a
/// handful of steps give what a bisection gives in forty.
TimeShares FairFinishes::solve_from(double least) {
  constexpr double close = 1e-10;
  constexpr int most_steps = 60;
  std::vector<std::uint32_t> all(problem_.jobs.size());
  std::iota(all.begin(), all.end(), 0u);
  ShareProgram program(problem_, group_jobs(problem_, needs(all, least), true));
  double rho = least;
  LinearSolution solution;
  for (int step = 0; step < most_steps; ++step) {
    solution = program.maximize_level();
    if (solution.objective >= 1 - close) break;
    const double next = bound(program, solution, rho, Divisions::equal_in_groups);
    if (next <= rho * (1 + close / 100)) break;
    rho = next;
    for (std::size_t g = 0; g < program.groups().size(); ++g) {
      program.change_needs(g, needs(program.groups()[g].members, rho));
    }
  }
  if (problem_.jobs.size() > by_bucket_above) rho = bound(program, solution, least, Divisions::all);
  program.keep_level(std::min(solution.objective, 1.0));
  TimeShares shares = finished(program, 0, rho);
  shares.primal = rho_on(shares.x, program.groups());
  return shares;
}

/// Needs that are 1 % apart at one rho may not be at another, so buckets are made again at the best rho known until
/// they are fine enough.
TimeShares FairFinishes::solve() {
  constexpr int most_times = 8;
  TimeShares shares = solve_from(least_);
  const double most = largest_gap(ShareObjective::finish_time_fairness, problem_.jobs.size());
  for (int times = 1; times < most_times && gap_of(shares.primal, shares.dual) > most; ++times) {
    const std::uint32_t iterations = shares.iterations;
    shares = solve_from(shares.dual);
    shares.iterations += iterations;
  }
  return shares;
}

std::vector<double> least_needs(const ShareProblem& problem) {
  std::vector<double> need;
  for (const ShareJob& job : problem.jobs) need.push_back(job.weight * equal_share_speed(problem, job) / job.gpus);
  return need;
}

TimeShares best_shares(ShareObjective objective, const ShareProblem& problem, std::vector<ShareGroup> groups) {
  switch (objective) {
    case ShareObjective::max_min:
      return maximize(problem, std::move(groups));
    case ShareObjective::water_filling:
      return fill_with_water(problem, std::move(groups));
    case ShareObjective::sum:
      return maximize(problem, std::move(groups), ShareLevel::sum_of_speeds);
    case ShareObjective::makespan:
      return minimize_makespan(problem);
    case ShareObjective::finish_time_fairness:
      return FairFinishes(problem).solve();
  }
  return {};
}

}  // namespace

TimeShares divide_time(ShareObjective objective, const ShareProblem& problem) {
  std::vector<ShareGroup> groups = group_jobs(problem, least_needs(problem), false);
  if (groups.empty()) return {std::vector<double>(problem.jobs.size() * problem.types()), 0, 0, 0, 0};
  TimeShares shares = best_shares(objective, problem, std::move(groups));
  for (double& share : shares.x) share = std::round(share * 1e9) / 1e9;
  return shares;
}

}  // namespace palstudy
