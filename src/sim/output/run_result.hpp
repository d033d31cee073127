// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "sim/output/partial_result.hpp"
#include "sim/state/run_rows.hpp"
#include "sim/state/world.hpp"

namespace palstudy {

/// When a run ended.
struct RunEnd {
  std::uint64_t instants = 0;
  double makespan_s = 0;  ///< NaN where measured jobs have not finished
  double horizon_s = 0;   ///< up to which fractions of time are taken
};

/// The ranks' parts as one result. Sums that cross partitions are made in the order of the partitions, with the jobs on
/// several last.
[[nodiscard]] RunResult join(const World& world, const RunRows& rows, RunPart all, const RunEnd& end);

/// Little's law as an identity of areas: what the jobs spent in the system, one by one, is the area under their number.
/// `seen_s`: the instant at which the end of a job is seen. (Little, Operations Research 9(3), 1961; as an identity of
/// a finite time: Little, Operations Research 59(3), 2011.) Errors (fault): it does not hold. For debug builds.
void check_littles_law(const RunPart& all, const RunRows& rows, double end_s,
                       const std::function<double(double finish_s)>& seen_s);

}  // namespace palstudy
