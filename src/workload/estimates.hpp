// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "workload/job.hpp"

namespace palstudy {

/// How long users say that their jobs take: `workload.estimates`.
enum class Estimates {
  exact,    ///< what the job takes at slowdown 1 and penalty 1
  uniform,  ///< 1 to 3 times as long, drawn for each job
  classes,  ///< the same, rounded up to 15 min, 1, 4, 12, 24 or 72 h; beyond that to whole days
};

/// Sets `Job::estimate_s` where the trace does not. Draws are keyed by `seed` and the id of the job, so that every
/// policy gets the same estimates.
void estimate_durations(Workload& workload, Estimates estimates, std::uint64_t seed);

}  // namespace palstudy
