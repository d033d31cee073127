// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/observers/recorder.hpp"
#include "sim/state/partition_state.hpp"

namespace palstudy {

/// Errors (fault): a GPU held twice, a job lost, GPU-seconds that are not accounted for. `kept_free`: GPUs by node that
/// the scheduler keeps; may be empty.
void check_partition(const PartitionState& state, const Recorder& recorder, const std::vector<GpuMask>& kept_free,
                     double now_s);

}  // namespace palstudy
