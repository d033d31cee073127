// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "inputs/arrivals.hpp"

namespace palstudy {

/// Under what load a run was, and whether its queue grew.
struct RunLoad {
  Arrivals arrivals;
  double queue_slope_per_h = 0;  ///< jobs by which the queue of measured jobs grows in an hour, while they arrive
  bool overloaded = false;       ///< the measured jobs begin with the first one, and more work arrives than the GPUs
                                 ///< could do, or more of the jobs pile up in the queue than `stable` allows
  bool backlog = false;          ///< they begin later, and the queue shrinks by as much
};

/// `start_s`: by job, NaN of one that never started. `queue_slope`: the metric of the run, which goes on to the last
/// arrival even where the run ended before (`ended_early`).
[[nodiscard]] RunLoad load_of(const std::vector<ArrivingJob>& jobs, std::span<const double> start_s, double gpus,
                              double queue_slope, bool ended_early);

}  // namespace palstudy
