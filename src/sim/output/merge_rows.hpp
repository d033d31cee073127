// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/result.hpp"

namespace palstudy {

/// All partitions' events by time, kind and job; the GPUs of a job's parts are joined, in the order of the partitions.
[[nodiscard]] EventRows merge_events(std::vector<EventRows> events);
/// All partitions' failures by time, job and attempt.
[[nodiscard]] FailureRows merge_failures(const std::vector<FailureRows>& lists);
/// All partitions' solutions by time and partition.
[[nodiscard]] SolveRows merge_solves(const std::vector<SolveRows>& lists);
/// The sums over all partitions, where they differ from the row before.
[[nodiscard]] RoundRows merge_rounds(const std::vector<RoundRows>& rounds);

}  // namespace palstudy
