// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "cluster/free_gpus.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// The PM-First choice (PAL, SC'24): the fastest bins of the class first; within a bin the nodes whose number q of free
/// GPUs of that bin is nearest to `gpus`, ties by GPU id. False if there are too few. A node may appear once a bin.
[[nodiscard]] bool choose_pm_first(ClassId cls, std::uint32_t gpus, FreeGpus& free, GpuSet& out);
/// The same among nodes begin <= node < end, which must have enough.
void choose_pm_first(ClassId cls, std::uint32_t gpus, NodeId begin, NodeId end, FreeGpus& free, GpuSet& out);

}  // namespace palstudy
