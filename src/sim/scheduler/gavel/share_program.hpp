// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "optimize/linear_program.hpp"
#include "sim/scheduler/gavel/time_shares.hpp"

namespace palstudy {

/// Jobs of one class, GPUs and weight that a program does not tell apart. They have equal shares, by what the one with
/// the largest need must have. A pool is different: its members need less than all of their time even on the slowest
/// type, so that any shares whose mean covers the mean of the needs can be parted in such a way that each has what it
/// needs.
struct ShareGroup {
  const ShareJob* job;  // one of them
  double fastest = 0;   // its speed where it fits
  bool pool = false;
  double need = 0;                     // speed at level 1: the largest of the members', of a pool their mean
  double mean_need = 0;                // the mean of the members'
  std::vector<std::uint32_t> members;  // indices of jobs
  std::vector<double> needs;           // by member

  void set_needs(std::vector<double> of_members);
};

/// The speed of a job on the fastest type on which it fits; 0: it fits nowhere.
[[nodiscard]] double fastest_speed(const ShareProblem& problem, const ShareJob& job);

/// The groups of the jobs that fit somewhere, by class, GPUs and weight, and if `by_need` by their needs at level 1
/// too, which no level may exceed: each for itself up to `by_bucket_above` jobs, else in pools and in buckets 1 %
/// apart.
[[nodiscard]] std::vector<ShareGroup> group_jobs(const ShareProblem& problem, const std::vector<double>& need,
                                                 bool by_need);

/// What the level of a division is a bound on.
enum class ShareLevel { least_speed, sum_of_speeds };

/// The linear program of a division. Rows: no job has more than all of the time, no type more than its GPUs, and the
/// speed of each group is at least its need times a common level; or the sum of all jobs' speeds is at least the level.
class ShareProgram {
 public:
  ShareProgram(const ShareProblem& problem, std::vector<ShareGroup> groups, ShareLevel of = ShareLevel::least_speed)
      : problem_(problem), groups_(std::move(groups)), types_(problem.types()) {
    add_shares();
    add_capacities();
    level_ = program_.add_variable();
    if (of == ShareLevel::sum_of_speeds) {
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
  void keep_level(double level) {
    kept_ = level * kept_level;
    program_.set_least(level_, kept_);
  }
  /// Takes a group out of the common level; its own stays at least what it is now.
  void fix_level(std::size_t group, double level) {
    const ShareGroup& g = groups_[group];
    program_.set_coefficient(need_rows_[group], level_, 0);
    program_.set_row(need_rows_[group], level * kept_level * g.need / g.fastest, LinearProgram::unbounded);
  }
  void change_needs(std::size_t group, std::vector<double> needs) {
    groups_[group].set_needs(std::move(needs));
    program_.set_coefficient(need_rows_[group], level_, -groups_[group].need / groups_[group].fastest);
  }
  /// What a group contributes to the dual solution: these sum to 1 over the groups in the common level.
  [[nodiscard]] double dual_weight(const LinearSolution& solution, std::size_t group) const {
    return solution.prices[need_rows_[group]] * groups_[group].need / groups_[group].fastest;
  }
  /// A bound on the level of any division, also of one that tells the members of a group apart. The group's prices hold
  /// for each member in equal parts, so each need counts as it is.
  [[nodiscard]] double bound_of_members(const LinearSolution& solution) const;
  /// The canonical one of the divisions that are as good as what has been kept.
  std::vector<double> canonical();
  [[nodiscard]] std::vector<double> shares(const LinearSolution& solution) const;
  [[nodiscard]] std::uint32_t iterations() const { return iterations_; }

 private:
  static constexpr double kept_level = 1 - 1e-9;  // of a level that a later objective may not lower
  static constexpr std::uint32_t no_variable = UINT32_MAX;

  /// The program is always feasible; where rounding hides that, the last solution still holds.
  const LinearSolution& solve() {
    LinearSolution solution = program_.maximize();
    iterations_ += solution.iterations;
    if (solution.feasible) last_ = std::move(solution);
    return last_;
  }
  [[nodiscard]] std::vector<double> parts(const ShareGroup& group, std::span<const double> mean) const;
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
  double kept_ = 0;  // the least level
  std::vector<std::uint32_t> variables_, need_rows_;
  LinearSolution last_;
  std::uint32_t iterations_ = 0;
};

}  // namespace palstudy
