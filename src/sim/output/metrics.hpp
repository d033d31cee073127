// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "sim/result.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// What the metrics need beside the rows of the jobs; GPU-seconds up to `horizon_s`.
struct Areas {
  double horizon_s = 0;  ///< the makespan, or the end of the run if a measured job is unfinished
  double allocated_s = 0, busy_s = 0, effective_s = 0;
  double queue_slope_per_h = 0;  ///< least-squares slope of the queue length while measured jobs arrive
  bool terminating = true;       ///< measured from the first job on: no steady state is claimed
  double window_s = 0;           ///< from the first to the last arrival of a measured job
};

/// The value at `share` of values in any order, which it changes, by linear interpolation between closest ranks (type 7
/// of Hyndman and Fan, 1996); NaN of none. Selects, since sorting the jobs of a large machine takes a tenth of its run.
[[nodiscard]] double quantile(std::vector<double>& values, double share);

/// Whether so much of the arrivals of `measured` jobs within `window_s` piles up in the queue that it is not stable.
[[nodiscard]] bool piles_up(double queue_slope_per_h, std::size_t measured, double window_s);

/// Every metric of design section 5.4. `mean_contention` is, by job, the time mean of max(1, GPU demand / GPUs) over
/// its stay.
[[nodiscard]] std::array<double, metric_count> compute_metrics(const Workload& workload, const JobRows& rows,
                                                               const std::vector<double>& mean_contention, double gpus,
                                                               double makespan_s, const Areas& areas);

}  // namespace palstudy
