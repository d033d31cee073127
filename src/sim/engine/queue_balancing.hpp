// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "policy/summaries.hpp"

namespace palstudy {

/// A waiting job that never started goes from one queue to another.
struct JobMove {
  JobId job;
  PartitionId from, to;
};

/// Which jobs to move so that the load of the partitions comes closer together: from the most loaded partition that has
/// a queue to the least loaded one, as long as the receiver does not end up above where the giver does; the jobs that
/// would start last go first. At most `max_moves`, only jobs that the summaries name; updates the summaries.
/// Ties: lowest partition. A function of its arguments, so every rank finds the same.
[[nodiscard]] std::vector<JobMove> level_queues(Summaries& summaries, const std::vector<Job>& jobs,
                                                std::size_t max_moves);

}  // namespace palstudy
