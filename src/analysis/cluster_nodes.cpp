// SPDX-License-Identifier: MIT
#include "analysis/cluster_nodes.hpp"

#include <algorithm>

#include "core/ids.hpp"

namespace palstudy {

NodesByClass nodes_of(const Slowdowns& cluster, const std::vector<NodeGroup>& groups) {
  NodesByClass classes(cluster.classes());
  for (std::size_t c = 0; c < cluster.classes(); ++c) {
    const auto values = cluster.of(ClassId(static_cast<std::uint32_t>(c)));
    auto next = values.begin();
    for (const NodeGroup& group : groups) {
      for (std::uint32_t i = 0; i < group.count; ++i, next += group.gpus) {
        classes[c].emplace_back(next, next + group.gpus);
      }
    }
    std::sort(classes[c].begin(), classes[c].end());
  }
  return classes;
}

}  // namespace palstudy
