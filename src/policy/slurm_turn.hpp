// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "policy/backfill_policy.hpp"
#include "policy/node_promises.hpp"

namespace palstudy {

/// `[slurm]`, as far as the two passes read it; names and defaults of Slurm 22.05.
struct SlurmPassOptions {
  std::size_t default_queue_depth, bf_max_job_test;
  ClockSecond bf_resolution_s, bf_window_s;
  ClockSecond clock_s;  ///< of time 0
};

/// Which passes come; the main one first.
struct SlurmPasses {
  bool main, backfill;
};

/// One turn of Slurm 22.05's scheduling of whole GPUs, by the rules that recorded runs show
/// (docs/howto/slurm-as-it-is.md has them in words). The main pass starts jobs in order; one that does not fit closes
/// the nodes of its queue to all jobs behind it. The backfill pass starts jobs that need no promised node, and promises
/// the others whole nodes. Promises of earlier passes are void.
void take_slurm_turn(BackfillTurn& turn, const SlurmPassOptions& options, SlurmPasses passes);

}  // namespace palstudy
