// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/scheduler/node_part.hpp"

namespace palstudy {

/// The nodes of each of some jobs, in the order in which they are taken. `free`: the free GPUs of each node of a type,
/// which has `gpus_per_node`. The widest jobs are first, of equals in order. Each takes whole nodes while it needs one,
/// then what is free, from a node on that goes round and behind each node that was looked at. So no job of a power of
/// two GPUs on a node is split if all GPUs are free. Errors (fault): the jobs need more GPUs than are free.
[[nodiscard]] std::vector<std::vector<NodePart>> place_on_nodes(std::span<const std::uint32_t> gpus_of_jobs,
                                                                std::vector<std::uint32_t> free,
                                                                std::uint32_t gpus_per_node);

}  // namespace palstudy
