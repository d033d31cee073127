// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/scheduler/ones/counts.hpp"
#include "sim/scheduler/ones/schedule.hpp"
#include "sim/scheduler/ones/set_slowdowns.hpp"

namespace palstudy {

/// Slow GPUs as a cost of a run of GPUs, beside the moves.
struct SlownessCost {
  const SetSlowdowns* slowdowns = nullptr;  ///< null: moves alone count
  double weight = 0;                        ///< moves that one GPU's worth of lost speed is as bad as
};

/// Counts as a schedule, and what its runs cost.
struct Reordered {
  OnesSchedule schedule;
  double cost = 0;
};

/// Counts as a schedule in which every job has a contiguous run of GPUs, at a low cost: for each GPU of a run that
/// another job has in the deployed schedule a move; with slow GPUs also weight x GPUs x (slowdown of the slowest GPU of
/// the run - 1). A dynamic program over the first i GPUs and the number k of jobs placed there: GPU i - 1 is left
/// empty, or a run ends with it. Of equal costs the earlier is kept: empty, then jobs in the order of the counts. As
/// published (ONES, SC'21) it keeps one list of jobs for each (i, k) and a job never twice, so it is a heuristic: it
/// often misses the best order. It always places all jobs: a list of k jobs on as many GPUs as the k smallest need has
/// just these sizes, so that the next smallest can follow. The working space lives on between calls. O(GPUs x jobs^2).
class OnesReorder {
 public:
  /// The counts have each job once, one GPU or more each, and no more GPUs than `deployed` has.
  /// Errors (fault): more GPUs than there are.
  [[nodiscard]] Reordered operator()(std::span<const OnesCount> counts, const OnesSchedule& deployed,
                                     std::span<const OnesJob> jobs, const SlownessCost& slowness = {});

 private:
  static constexpr std::uint32_t empty = UINT32_MAX;
  /// The end of a list: a run of a job after the list of another state, or an empty GPU.
  struct Step {
    std::size_t from = 0;
    std::uint32_t job = empty;
  };

  void set_costs(std::span<const OnesCount> counts, const OnesSchedule& deployed, std::span<const OnesJob> jobs,
                 const SlownessCost& slowness);
  void add_slowness(const OnesCount& count, std::span<double> costs, ClassId cls, const SlownessCost& slowness);
  void set_window(std::span<const OnesCount> counts);
  void fill(std::size_t gpus, std::span<const OnesCount> counts);
  void keep(std::size_t state, const Step& step);
  [[nodiscard]] std::size_t state(std::size_t gpus, std::size_t placed) const { return gpus * (jobs_ + 1) + placed; }
  [[nodiscard]] bool used(std::size_t state, std::uint32_t job) const {
    return (used_[state * words_ + job / 64] >> (job % 64) & 1) != 0;
  }
  [[nodiscard]] Reordered result(std::span<const OnesCount> counts) const;

  std::size_t gpus_ = 0, jobs_ = 0, words_ = 0;
  std::vector<double> run_costs_;     // by job, then by the end of its run
  std::vector<double> best_;          // by state; infinite: no list
  std::vector<std::uint32_t> last_;   // by state: the job of the last run, or `empty`
  std::vector<std::uint64_t> used_;   // by state: a bit for each job of the list
  std::vector<std::uint32_t> least_;  // the GPUs that k jobs need at least
  std::vector<std::uint32_t> before_, window_;
  std::vector<Step> from_;  // by jobs placed, of one number of GPUs
};

}  // namespace palstudy
