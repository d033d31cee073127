// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/share_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace palstudy {

double fastest_speed(const ShareProblem& problem, const ShareJob& job) {
  double most = 0;
  for (std::size_t k = 0; k < problem.types(); ++k) {
    if (problem.takes(job, k)) most = std::max(most, problem.speeds_of(job)[k]);
  }
  return most;
}

/// The mean is exactly the largest one where all are equal.
void ShareGroup::set_needs(std::vector<double> of_members) {
  needs = std::move(of_members);
  const double most = *std::max_element(needs.begin(), needs.end());
  double below = 0;
  for (const double of_member : needs) below += most - of_member;
  mean_need = most - below / static_cast<double>(needs.size());
  need = pool ? mean_need : most;
}

namespace {

constexpr double pooled = -std::numeric_limits<double>::infinity();  // a demand

double slowest_speed(const ShareProblem& problem, const ShareJob& job) {
  double least = fastest_speed(problem, job);
  for (std::size_t k = 0; k < problem.types(); ++k) {
    const double speed = problem.speeds_of(job)[k];
    if (problem.takes(job, k) && speed > 0) least = std::min(least, speed);
  }
  return least;
}

/// By what jobs of one class, GPUs and weight are told apart.
double demand(const ShareProblem& problem, const ShareJob& job, double need) {
  if (problem.jobs.size() <= by_bucket_above) return need;
  if (need <= slowest_speed(problem, job)) return pooled;
  return std::floor(std::log(need) / std::log(1.01));
}

}  // namespace

std::vector<ShareGroup> group_jobs(const ShareProblem& problem, const std::vector<double>& need, bool by_need) {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, double, double>> key;
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < problem.jobs.size(); ++i) {
    const ShareJob& job = problem.jobs[i];
    key.emplace_back(job.speeds, job.gpus, job.weight, by_need ? demand(problem, job, need[i]) : 0);
    if (fastest_speed(problem, job) > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
  std::vector<ShareGroup> groups;
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::find_if(first, order.end(), [&](std::uint32_t i) { return key[i] != key[*first]; });
    const ShareJob& job = problem.jobs[*first];
    ShareGroup& group = groups.emplace_back();
    group.job = &job;
    group.fastest = fastest_speed(problem, job);
    group.pool = std::get<3>(key[*first]) == pooled;
    group.members.assign(first, last);
    std::vector<double> needs;
    for (const std::uint32_t i : group.members) needs.push_back(need[i]);
    group.set_needs(std::move(needs));
    first = last;
  }
  return groups;
}

void ShareProgram::add_shares() {
  for (const ShareGroup& group : groups_) {
    std::vector<LinearTerm> all;
    for (std::size_t k = 0; k < types_; ++k) {
      const bool fits = problem_.takes(*group.job, k) && problem_.speeds_of(*group.job)[k] > 0;
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
  std::vector<double> x(problem_.jobs.size() * types_), mean(types_);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (std::size_t k = 0; k < types_; ++k) {
      const std::uint32_t share = variable(g, k);
      mean[k] = share == no_variable ? 0 : std::clamp(solution.values[share], 0.0, 1.0);
    }
    const std::vector<double> parts_of_mean = parts(groups_[g], mean);
    for (std::size_t i = 0; i < parts_of_mean.size(); ++i) {
      double* const of_member = &x[groups_[g].members[i] * types_];
      for (std::size_t k = 0; k < types_; ++k) of_member[k] = mean[k] * parts_of_mean[i];
    }
  }
  return x;
}

/// The shares of each member over their mean. In a pool each has the time that it needs at the level that is kept, and
/// the same part of the rest of its time.
std::vector<double> ShareProgram::parts(const ShareGroup& group, std::span<const double> mean) const {
  std::vector<double> of_mean(group.members.size(), 1.0);
  if (!group.pool) return of_mean;
  const auto speeds = problem_.speeds_of(*group.job);
  const double time = std::accumulate(mean.begin(), mean.end(), 0.0);
  const double speed = std::inner_product(mean.begin(), mean.end(), speeds.begin(), 0.0) / time;
  const double needed = kept_ * group.need / speed;
  if (!(needed < 1)) return of_mean;  // all need all of their time, or have none
  const double of_rest = std::max(0.0, (time - needed) / (1 - needed));
  for (std::size_t i = 0; i < of_mean.size(); ++i) {
    const double least = std::min(1.0, kept_ * group.needs[i] / speed);
    of_mean[i] = (least + of_rest * (1 - least)) / time;
  }
  return of_mean;
}

double ShareProgram::bound_of_members(const LinearSolution& solution) const {
  double largest = 0, mean = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    largest += dual_weight(solution, g);
    mean += dual_weight(solution, g) * groups_[g].mean_need / groups_[g].need;
  }
  return largest == mean ? solution.dual_objective : solution.dual_objective * largest / mean;
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

}  // namespace palstudy
