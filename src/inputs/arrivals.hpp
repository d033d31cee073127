// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "core/numbers.hpp"

namespace palstudy {

/// A job that adds to the load of a run; jobs are in the order of their arrival.
struct ArrivingJob {
  double submit_s = 0;
  double gpu_s = 0;  ///< work: GPU-seconds at slowdown 1 and penalty 1
  bool measured = false;
  bool initial = false;  ///< made up as running at time 0
};

/// The jobs that arrive from the first measured one to the last. Where those are measured from the first job on, a
/// quiet beginning or end is left out, that is a twentieth of them that take over a fifth of the time: else one job
/// that is submitted weeks before or after the others would thin the load out.
struct Arrivals {
  std::size_t measured = 0;
  double begin_s = 0, end_s = 0;  ///< of the window
  double window_s = 0;
  double offered_load = nan;  ///< their work, without jobs that run at time 0, over that of all GPUs in this time; NaN
                              ///< where all arrive at once
  double quiet_load = nan;    ///< the same with a quiet beginning or end; NaN where there is none
  bool from_first = false;    ///< the measured jobs begin with the first one: nothing checks that the queue is stable
  bool from_empty = false;    ///< and no job runs already when it arrives
};
[[nodiscard]] Arrivals arrivals_of(const std::vector<ArrivingJob>& jobs, double gpus);

/// The offered load of the busiest `window_s` seconds that begin with an arrival; NaN for a window of no length.
[[nodiscard]] double busiest_load(const std::vector<ArrivingJob>& jobs, double gpus, double window_s);

}  // namespace palstudy
