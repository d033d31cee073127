// SPDX-License-Identifier: MIT
#include "analysis/run_load.hpp"

#include <cmath>
#include <cstddef>

#include "core/numbers.hpp"
#include "sim/output/metrics.hpp"

namespace palstudy {
namespace {

/// Jobs an hour by which the queue of measured jobs grows over the window: the metric's slope also sees a quiet end.
double growth_per_h(const std::vector<ArrivingJob>& jobs, std::span<const double> start_s, const Arrivals& window) {
  const auto waiting = [&](double time_s) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      count += jobs[i].measured && jobs[i].submit_s <= time_s && !(start_s[i] <= time_s) ? 1 : 0;
    }
    return static_cast<double>(count);
  };
  return hour_s * (waiting(window.end_s) - waiting(window.begin_s)) / window.window_s;
}

}  // namespace

RunLoad load_of(const std::vector<ArrivingJob>& jobs, std::span<const double> start_s, double gpus, double queue_slope,
                bool ended_early) {
  RunLoad load{arrivals_of(jobs, gpus), queue_slope};
  const Arrivals& all = load.arrivals;
  // From the end of a run on the metric sees an empty queue.
  if (all.window_s > 0 && (ended_early || !std::isnan(all.quiet_load))) {
    load.queue_slope_per_h = growth_per_h(jobs, start_s, all);
  }
  const bool grows = piles_up(load.queue_slope_per_h, all.measured, all.window_s);
  const bool more_than_served = all.offered_load > 1 && !(load.queue_slope_per_h <= 0);
  load.overloaded = all.from_first && all.measured > 0 && (grows || more_than_served);
  load.backlog = !all.from_first && piles_up(-load.queue_slope_per_h, all.measured, all.window_s);
  return load;
}

}  // namespace palstudy
