// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/node_set.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// A queue of one scheduler (what Slurm calls a partition). Queues may share nodes.
struct QueueRule {
  std::string name;
  NodeSet nodes;           ///< that its jobs may use
  std::uint32_t tier = 1;  ///< jobs of queues of a higher one come first
};

/// The queues of a run.
struct QueueRules {
  std::vector<QueueRule> all;
  std::vector<std::uint32_t> of_name;  ///< place in `all`, by Job::queue

  [[nodiscard]] std::uint32_t of(const Job& job) const { return of_name[job.queue]; }
};

}  // namespace palstudy
