// SPDX-License-Identifier: MIT
#include "sim/scheduler/sia/configurations.hpp"

#include <algorithm>

namespace palstudy {

JobShape packed_shape(std::uint32_t gpus, std::uint32_t gpus_per_node) {
  return {gpus, (gpus + gpus_per_node - 1) / gpus_per_node};
}

std::vector<Configuration> configurations(std::span<const TypeNodes> types) {
  std::vector<Configuration> all;
  for (std::size_t type = 0; type < types.size(); ++type) {
    const TypeNodes& of = types[type];
    const std::uint32_t nodes = std::min(of.nodes, of.most_nodes);
    for (std::uint32_t gpus = 1; nodes > 0 && gpus < of.gpus_per_node; gpus *= 2) all.push_back({type, {gpus, 1}});
    for (std::uint32_t many = 1; many <= nodes; ++many) all.push_back({type, {many * of.gpus_per_node, many}});
  }
  return all;
}

}  // namespace palstudy
