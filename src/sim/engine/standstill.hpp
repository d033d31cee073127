// SPDX-License-Identifier: MIT
#pragma once

#include "sim/engine/rank_partitions.hpp"
#include "sim/engine/wide_jobs.hpp"
#include "sim/state/exchange.hpp"
#include "sim/state/stands_still.hpp"
#include "sim/state/world.hpp"

namespace palstudy {

/// The job to name where a run stands still; collective, the same on all ranks. `wide`: null if there are none. Errors
/// (fault): no job waits.
[[nodiscard]] StandingJob standing_job(const World& world, RankPartitions& parts, const WideJobs* wide,
                                       Exchange& exchange);

}  // namespace palstudy
