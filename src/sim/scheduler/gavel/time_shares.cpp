// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/time_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "optimize/linear_program.hpp"

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

constexpr double kept = 1 - 1e-10;  // of a level that a later objective may not lower
constexpr std::uint32_t no_variable = UINT32_MAX;

/// Jobs with equal shares.
struct ShareGroup {
  const ShareJob* job;                 // one of them
  double fastest = 0;                  // its speed where it fits
  double need = 1;                     // the speed that it must have at level 1, the largest of the group
  std::vector<std::uint32_t> members;  // indices of jobs
};

double fastest_speed(const ShareProblem& problem, const ShareJob& job) {
  double most = 0;
  for (std::size_t k = 0; k < problem.types(); ++k) {
    if (job.gpus <= problem.reach(k)) most = std::max(most, problem.speeds_of(job)[k]);
  }
  return most;
}

/// The groups of the jobs that fit somewhere, by their needs too if `by_need`.
std::vector<ShareGroup> group_jobs(const ShareProblem& problem, const std::vector<double>& need, bool by_need) {
  const bool in_buckets = problem.jobs.size() > by_bucket_above;
  const auto key = [&](std::uint32_t i) {
    const ShareJob& job = problem.jobs[i];
    const double demand = !by_need ? 0 : in_buckets ? std::floor(std::log(need[i]) / std::log(1.01)) : need[i];
    return std::tuple(job.speeds, job.gpus, job.weight, demand);
  };
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < problem.jobs.size(); ++i) {
    if (fastest_speed(problem, problem.jobs[i]) > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<ShareGroup> groups;
  for (const std::uint32_t i : order) {
    if (groups.empty() || key(groups.back().members.front()) != key(i)) {
      groups.push_back({&problem.jobs[i], fastest_speed(problem, problem.jobs[i]), 0, {}});
    }
    groups.back().members.push_back(i);
    groups.back().need = std::max(groups.back().need, need[i]);
  }
  return groups;
}

/// What the level of a division is a bound on.
enum class Level { least_speed, sum_of_speeds };

/// The linear program of a division. Rows: no job has more than all of the time, no type more than its GPUs, and the
/// speed of each group is at least its need times a common level; or the sum of all jobs' speeds is at least the level.
class ShareProgram {
 public:
  ShareProgram(const ShareProblem& problem, std::vector<ShareGroup> groups, Level of = Level::least_speed)
      : problem_(problem), groups_(std::move(groups)), types_(problem.types()) {
    add_shares();
    add_capacities();
    level_ = program_.add_variable();
    if (of == Level::sum_of_speeds) {
      add_sum();
      return;
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) add_need(g);
  }

  [[nodiscard]] std::vector<ShareGroup>& groups() { return groups_; }
  LinearSolution maximize_level() {
    std::vector<double> objective(level_ + 1);
    objective[level_] = 1;
    program_.set_objective(std::move(objective));
    return solve();
  }
  void keep_level(double level) { program_.set_least(level_, level * kept); }
  /// Takes a group out of the common level; its own stays at least what it is now.
  void fix(std::size_t group, double level) {
    const ShareGroup& g = groups_[group];
    program_.set_coefficient(need_rows_[group], level_, 0);
    program_.set_row(need_rows_[group], level * kept * g.need / g.fastest, LinearProgram::unbounded);
  }
  void change_need(std::size_t group, double need) {
    groups_[group].need = need;
    program_.set_coefficient(need_rows_[group], level_, -need / groups_[group].fastest);
  }
  /// What a group contributes to the dual solution: these sum to 1 over the groups in the common level.
  [[nodiscard]] double pull(const LinearSolution& solution, std::size_t group) const {
    return solution.prices[need_rows_[group]] * groups_[group].need / groups_[group].fastest;
  }
  /// The canonical one of the divisions that are as good as what has been kept.
  std::vector<double> canonical();
  [[nodiscard]] std::vector<double> shares(const LinearSolution& solution) const;
  [[nodiscard]] std::uint32_t iterations() const { return iterations_; }

 private:
  LinearSolution solve() {
    LinearSolution solution = program_.maximize();
    iterations_ += solution.iterations;
    return solution;
  }
  void add_shares();
  void add_capacities();
  void add_need(std::size_t group);
  void add_sum();
  [[nodiscard]] std::uint32_t variable(std::size_t group, std::size_t type) const {
    return variables_[group * types_ + type];
  }

  const ShareProblem& problem_;
  std::vector<ShareGroup> groups_;
  std::size_t types_;
  LinearProgram program_;
  std::uint32_t level_ = 0;
  std::vector<std::uint32_t> variables_, need_rows_;
  std::uint32_t iterations_ = 0;
};

void ShareProgram::add_shares() {
  for (const ShareGroup& group : groups_) {
    std::vector<LinearTerm> all;
    for (std::size_t k = 0; k < types_; ++k) {
      const bool fits = group.job->gpus <= problem_.reach(k) && problem_.speeds_of(*group.job)[k] > 0;
      variables_.push_back(fits ? program_.add_variable(1) : no_variable);
      if (fits) all.push_back({variables_.back(), 1});
    }
    program_.add_row(-LinearProgram::unbounded, 1, all);
  }
}

void ShareProgram::add_capacities() {
  for (std::size_t k = 0; k < types_; ++k) {
    std::vector<LinearTerm> used;
    for (std::size_t i = problem_.nested ? 0 : k; i <= k; ++i) {
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const double gpus = static_cast<double>(groups_[g].members.size()) * groups_[g].job->gpus;
        if (variable(g, i) != no_variable) used.push_back({variable(g, i), gpus});
      }
    }
    program_.add_row(-LinearProgram::unbounded, problem_.reach(k), used);
  }
}

/// Divided by the fastest speed, so that all coefficients are near 1.
void ShareProgram::add_need(std::size_t group) {
  const ShareGroup& g = groups_[group];
  std::vector<LinearTerm> terms;
  for (std::size_t k = 0; k < types_; ++k) {
    if (variable(group, k) == no_variable) continue;
    terms.push_back({variable(group, k), problem_.speeds_of(*g.job)[k] / g.fastest});
  }
  terms.push_back({level_, -g.need / g.fastest});
  need_rows_.push_back(program_.add_row(0, LinearProgram::unbounded, terms));
}

void ShareProgram::add_sum() {
  std::vector<LinearTerm> terms{{level_, -1}};
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const auto members = static_cast<double>(groups_[g].members.size());
    for (std::size_t k = 0; k < types_; ++k) {
      if (variable(g, k) == no_variable) continue;
      terms.push_back({variable(g, k), members * problem_.speeds_of(*groups_[g].job)[k]});
    }
  }
  program_.add_row(0, LinearProgram::unbounded, terms);
}

std::vector<double> ShareProgram::shares(const LinearSolution& solution) const {
  std::vector<double> x(problem_.jobs.size() * types_);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (std::size_t k = 0; k < types_; ++k) {
      if (variable(g, k) == no_variable) continue;
      const double share = std::clamp(std::round(solution.values[variable(g, k)] * 1e9) / 1e9, 0.0, 1.0);
      for (const std::uint32_t member : groups_[g].members) x[member * types_ + k] = share;
    }
  }
  return x;
}

std::vector<double> ShareProgram::canonical() {
  constexpr double golden = 0.6180339887498949;  // its multiples modulo 1 are all different
  std::vector<double> objective(level_ + 1);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const ShareJob& job = *groups_[g].job;
    const double scale = static_cast<double>(groups_[g].members.size()) * job.gpus / equal_share_speed(problem_, job);
    for (std::size_t k = 0; k < types_; ++k) {
      if (variable(g, k) == no_variable) continue;
      const double tie = static_cast<double>(g * types_ + k + 1) * golden;
      objective[variable(g, k)] = scale * problem_.speeds_of(job)[k] * (1 + 1e-3 * (tie - std::floor(tie)));
    }
  }
  program_.set_objective(std::move(objective));
  return shares(solve());
}

TimeShares maximize(const ShareProblem& problem, std::vector<ShareGroup> groups, Level of = Level::least_speed) {
  ShareProgram program(problem, std::move(groups), of);
  const LinearSolution best = program.maximize_level();
  program.keep_level(best.objective);
  TimeShares shares{program.canonical(), best.objective, best.dual_objective, 0};
  shares.iterations = program.iterations();
  return shares;
}

/// Groups with a price are at the common level in every best division (complementary slackness), so they are fixed
/// there. One that is fixed only by the next division costs one division more and changes nothing.
TimeShares fill_with_water(const ShareProblem& problem, std::vector<ShareGroup> groups) {
  ShareProgram program(problem, std::move(groups));
  std::optional<TimeShares> first;
  std::vector<std::uint8_t> fixed(program.groups().size());
  for (std::size_t left = fixed.size(); left > 0;) {
    const LinearSolution level = program.maximize_level();
    if (!first) first = TimeShares{{}, level.objective, level.dual_objective, 0};
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
  first->x = program.canonical();
  first->iterations = program.iterations();
  return *first;
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
  TimeShares shares{program.canonical(), 0, rho, 0};
  shares.primal = rho_on(shares.x, program.groups());
  shares.iterations = program.iterations();
  return shares;
}

std::vector<double> least_needs(const ShareProblem& problem) {
  std::vector<double> need;
  for (const ShareJob& job : problem.jobs) need.push_back(job.weight * equal_share_speed(problem, job) / job.gpus);
  return need;
}

}  // namespace

TimeShares divide_time(ShareObjective objective, const ShareProblem& problem) {
  const std::vector<double> need = least_needs(problem);
  std::vector<ShareGroup> groups = group_jobs(problem, need, false);
  if (groups.empty()) return {std::vector<double>(problem.jobs.size() * problem.types()), 0, 0, 0};
  switch (objective) {
    case ShareObjective::max_min:
      return maximize(problem, std::move(groups));
    case ShareObjective::water_filling:
      return fill_with_water(problem, std::move(groups));
    case ShareObjective::sum:
      return maximize(problem, std::move(groups), Level::sum_of_speeds);
    case ShareObjective::makespan:
      return minimize_makespan(problem);
    case ShareObjective::finish_time_fairness:
      return FairFinishes(problem).solve();
  }
  return {};
}

}  // namespace palstudy
