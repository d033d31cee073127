// SPDX-License-Identifier: MIT
#include "policy/fewest_nodes.hpp"

#include <algorithm>
#include <array>

namespace palstudy {

std::uint32_t fewest_nodes(const Topology& topology, std::uint32_t gpus) {
  const std::uint32_t widest = std::max(1U, topology.widest_node());  // a node has a GPU
  if (gpus <= widest) return 1;
  if (std::uint64_t{widest} * topology.nodes() == topology.gpus()) return (gpus + widest - 1) / widest;
  std::array<std::uint32_t, max_gpus_per_node + 1> nodes_with{};
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) ++nodes_with[topology.gpus_of(NodeId(n))];
  std::uint32_t nodes = 0;
  for (std::uint32_t size = widest; size > 0 && gpus > 0; --size) {
    const std::uint32_t taken = std::min(nodes_with[size], (gpus + size - 1) / size);
    nodes += taken;
    gpus -= std::min(gpus, taken * size);
  }
  return nodes;
}

}  // namespace palstudy
