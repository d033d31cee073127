// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace palstudy {

/// What a division of time is best for (Gavel, OSDI'20, its policies as linear programs). T is a job's speed on a type
/// of GPUs, X its share of the time there, g its GPUs, w its weight, N the GPUs of a type.
enum class ShareObjective : std::uint8_t {
  max_min,               ///< least g / (w T_equal) sum T X, where T_equal is the speed on an equal share of all types
  water_filling,         ///< the same, then the least of those that can still rise, and so on
  sum,                   ///< sum of T X over the jobs
  makespan,              ///< time until the last job ends
  finish_time_fairness,  ///< largest of (age + remaining / (sum T X)) / (time on an isolated share)
};

/// As `policy.objective` and /solves name them, by ShareObjective.
inline constexpr std::array<const char*, 5> share_objective_names = {"max-min", "water-filling", "sum", "makespan",
                                                                     "ftf"};

/// Whether a smaller value of the objective is better: a dual value is a lower bound then, else an upper one.
[[nodiscard]] constexpr bool minimized(ShareObjective objective) {
  return objective == ShareObjective::makespan || objective == ShareObjective::finish_time_fairness;
}

/// More jobs than this are told apart by their demand in pools and buckets only, where the objective depends on it.
inline constexpr std::size_t by_bucket_above = 1000;

/// How far apart the primal and the dual value of a solution may be, relative to the primal one: buckets are 1 % apart.
[[nodiscard]] constexpr double largest_gap(ShareObjective objective, std::size_t jobs) {
  return minimized(objective) && jobs > by_bucket_above ? 1e-2 : 1e-6;
}

/// |primal - dual| / |primal|; 0 where both are 0.
[[nodiscard]] constexpr double gap_of(double primal, double dual) {
  const double apart = primal < dual ? dual - primal : primal - dual;
  return apart == 0 ? 0 : apart / (primal < 0 ? -primal : primal);
}

/// The solutions of the linear programs of a run, ordered by time and partition; arrays of one length.
struct SolveRows {
  std::vector<double> time_s;
  std::vector<std::uint32_t> partition;
  std::vector<ShareObjective> objective;
  std::vector<std::uint32_t> jobs;        // that share the time
  std::vector<std::uint32_t> groups;      // of jobs that the program does not tell apart
  std::vector<double> primal, dual;       // of the objective; makespan in seconds
  std::vector<std::uint32_t> iterations;  // of the simplex method
  [[nodiscard]] std::size_t size() const { return time_s.size(); }
  [[nodiscard]] auto place(std::size_t row) const { return std::tuple(time_s[row], partition[row]); }
  /// Appends row `row` of `from`.
  void append(const SolveRows& from, std::size_t row);
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & time_s & partition & objective & jobs & groups & primal & dual & iterations);
  }
};

}  // namespace palstudy
