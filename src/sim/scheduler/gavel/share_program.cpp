// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/share_program.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace palstudy {

double fastest_speed(const ShareProblem& problem, const ShareJob& job) {
  double most = 0;
  for (std::size_t k = 0; k < problem.types(); ++k) {
    if (problem.takes(job, k)) most = std::max(most, problem.speeds_of(job)[k]);
  }
  return most;
}

namespace {

/// Exactly the largest one where all are equal.
double mean_of_members(const ShareGroup& group, const std::vector<double>& need) {
  double below = 0;
  for (const std::uint32_t i : group.members) below += group.need - need[i];
  return group.need - below / static_cast<double>(group.members.size());
}

}  // namespace

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
      groups.push_back({&problem.jobs[i], fastest_speed(problem, problem.jobs[i]), 0, 0, {}});
    }
    groups.back().members.push_back(i);
    groups.back().need = std::max(groups.back().need, need[i]);
  }
  for (ShareGroup& group : groups) group.mean_need = mean_of_members(group, need);
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
  std::vector<double> x(problem_.jobs.size() * types_);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (std::size_t k = 0; k < types_; ++k) {
      if (variable(g, k) == no_variable) continue;
      const double share = std::clamp(solution.values[variable(g, k)], 0.0, 1.0);
      for (const std::uint32_t member : groups_[g].members) x[member * types_ + k] = share;
    }
  }
  return x;
}

double ShareProgram::bound_of_members(const LinearSolution& solution) const {
  double largest = 0, mean = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    largest += pull(solution, g);
    mean += pull(solution, g) * groups_[g].mean_need / groups_[g].need;
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
