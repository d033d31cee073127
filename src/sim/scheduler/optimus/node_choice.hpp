// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/scheduler/node_part.hpp"

namespace palstudy {

/// The nodes of each of some jobs. `counts`: the GPUs that each gets; `held`: where it is; `gpus`: those of each node.
/// A job whose count stays keeps its nodes. The others come by ascending count, of equals in order: each takes the node
/// with most free GPUs, the first of equals, until it has enough (Optimus as ported in Pollux's artifact).
/// Errors (fault): the jobs need more GPUs than there are.
[[nodiscard]] std::vector<std::vector<NodePart>> choose_nodes(std::span<const std::uint32_t> counts,
                                                              std::span<const std::vector<NodePart>> held,
                                                              std::vector<std::uint32_t> gpus);

}  // namespace palstudy
