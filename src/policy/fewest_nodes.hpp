// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "topology/topology.hpp"

namespace palstudy {

/// The fewest nodes that hold so many GPUs, of which there are enough, if all are free: the widest ones. Looks at every
/// node where their sizes differ and one node is not enough.
[[nodiscard]] std::uint32_t fewest_nodes(const Topology& topology, std::uint32_t gpus);

}  // namespace palstudy
