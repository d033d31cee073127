// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/state/solves.hpp"

namespace palstudy {

/// A job that takes part.
struct ShareJob {
  std::uint32_t speeds = 0;  ///< row of `ShareProblem::speeds`
  std::uint32_t gpus = 1;
  double weight = 1;
  double remaining_s = 0;  ///< of work at speed 1
  double age_s = 0;        ///< since it was submitted
  /// That the work done so far would have taken on 1/n of every type, n being the number of jobs at each time.
  double isolated_s = 0;
};

/// Jobs and types of GPUs. A job runs on one type at a time.
struct ShareProblem {
  std::vector<std::uint32_t> gpus;  ///< by type
  std::vector<double> speeds;       ///< row by row, one for each type; 1: the speed of a median GPU
  std::vector<ShareJob> jobs;
  /// Type k stands for the GPUs of the types 0..k, so that a gang may span types (not published).
  bool nested = false;

  /// The widest job that each type takes; empty: as wide as its GPUs.
  std::vector<std::uint32_t> widest{};

  [[nodiscard]] std::size_t types() const { return gpus.size(); }
  [[nodiscard]] std::span<const double> speeds_of(const ShareJob& job) const {
    return std::span(speeds).subspan(job.speeds * types(), types());
  }
  /// GPUs on which a job of type `type` may run.
  [[nodiscard]] std::uint32_t reach(std::size_t type) const;
  [[nodiscard]] bool takes(const ShareJob& job, std::size_t type) const {
    return job.gpus <= (widest.empty() ? reach(type) : widest[type]);
  }
};

/// Shares of time, and how good they are.
struct TimeShares {
  std::vector<double> x;  ///< job by job, one for each type
  /// The objective, of water filling the least one; makespan in seconds. `dual` is a bound that no division beats.
  double primal = 0, dual = 0;
  std::uint32_t groups = 0;  ///< of jobs that the program does not tell apart
  std::uint32_t iterations = 0;
};

/// The best division of time. Of several, the one with the most work that is normalized by the speed on equal shares
/// (`equal_share_speed`), equals decided by fixed coefficients, rounded to 1e-9: it is unique, whatever vertex a solver
/// prefers. Jobs of the same row, GPUs and weight get equal shares, which is exact. Makespan and finish-time fairness
/// tell jobs apart by their demand too. Above `by_bucket_above` jobs they do so only for those that may need all of
/// their time, in buckets that are 1 % apart; the others of a row are one pool, which is exact. Finish-time fairness
/// makes its buckets again until `primal` and `dual` are within 1 %. A job gets no time where it does not fit.
[[nodiscard]] TimeShares divide_time(ShareObjective objective, const ShareProblem& problem);

/// The speed of a job on equal shares of all types' time.
[[nodiscard]] double equal_share_speed(const ShareProblem& problem, const ShareJob& job);
/// The speed of a job on 1/n of every type, n being the number of jobs.
[[nodiscard]] double isolated_speed(const ShareProblem& problem, const ShareJob& job);
/// The speed of job `job` on shares `x`.
[[nodiscard]] double speed_on(const ShareProblem& problem, const std::vector<double>& x, std::size_t job);

}  // namespace palstudy
