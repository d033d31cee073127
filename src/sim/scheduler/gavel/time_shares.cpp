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
      if (!fixed[g]) most = std::max(most, program.pull(level, g));
    }
    for (std::size_t g = 0; g < fixed.size(); ++g) {
      if (fixed[g] || program.pull(level, g) < std::min(most, 1e-6)) continue;
      program.fix(g, level.objective);
      fixed[g] = 1;
      --left;
    }
  }
  return finished(program, first->objective, first->dual_objective);
}

TimeShares minimize_makespan(const ShareProblem& problem) {
  std::vector<double> need;
  double longest = 0;
  for (const ShareJob& job : problem.jobs) {
    const double fastest = fastest_speed(problem, job);
    if (fastest > 0) longest = std::max(longest, job.remaining_s / fastest);
  }
  if (longest == 0) longest = 1;
  for (const ShareJob& job : problem.jobs) need.push_back(job.remaining_s / longest);
  TimeShares shares = maximize(problem, group_jobs(problem, need, true));
  shares.primal = longest / shares.primal;
  shares.dual = longest / shares.dual;
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
  [[nodiscard]] double need(const ShareGroup& group, double rho) const {
    double most = 0;
    for (const std::uint32_t job : group.members) most = std::max(most, need(job, rho));
    return most;
  }
  [[nodiscard]] double bound(ShareProgram& program, const LinearSolution& solution, double rho) const;
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

/// A rho that none can beat, larger than `rho`, at which the level is below 1: the row prices of any one rho bound the
/// level at all others, by level(rho) * pulls at rho / pulls at the other.
double FairFinishes::bound(ShareProgram& program, const LinearSolution& solution, double rho) const {
  const auto& groups = program.groups();
  double pulls = 0;
  std::vector<double> weight(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    pulls += program.pull(solution, g);
    weight[g] = program.pull(solution, g) / groups[g].need;
  }
  const auto enough = [&](double other) {
    double sum = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (weight[g] > 0) sum += weight[g] * need(groups[g], other);
    }
    return sum <= solution.dual_objective * pulls;
  };
  double low = rho, high = 2 * rho;
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
TimeShares FairFinishes::solve() {
  constexpr double close = 1e-10;
  constexpr int most_steps = 60;
  std::vector<double> needs;
  for (std::uint32_t i = 0; i < problem_.jobs.size(); ++i) needs.push_back(need(i, least_));
  ShareProgram program(problem_, group_jobs(problem_, needs, true));
  double rho = least_, level = 1;
  for (int step = 0; step < most_steps; ++step) {
    const LinearSolution solution = program.maximize_level();
    level = solution.objective;
    if (level >= 1 - close) break;
    const double next = bound(program, solution, rho);
    if (next <= rho * (1 + close / 100)) break;
    rho = next;
    for (std::size_t g = 0; g < program.groups().size(); ++g) program.change_need(g, need(program.groups()[g], rho));
  }
  program.keep_level(std::min(level, 1.0));
  TimeShares shares = finished(program, 0, rho);
  shares.primal = rho_on(shares.x, program.groups());
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
