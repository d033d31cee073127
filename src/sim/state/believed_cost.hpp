// SPDX-License-Identifier: MIT
#pragma once

#include "sim/state/partition_state.hpp"

namespace palstudy {

/// The cost that the policies believe these GPUs to have for a job: from bins and `policy.locality`.
[[nodiscard]] BelievedCost believed_cost(const PartitionState& state, JobId job, const GpuSet& gpus);

}  // namespace palstudy
