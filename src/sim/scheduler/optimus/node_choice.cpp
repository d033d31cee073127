// SPDX-License-Identifier: MIT
#include "sim/scheduler/optimus/node_choice.hpp"

#include <algorithm>
#include <cstddef>

#include "core/error.hpp"

namespace palstudy {

std::vector<std::vector<NodePart>> choose_nodes(std::span<const std::uint32_t> counts,
                                                std::span<const std::vector<NodePart>> held,
                                                std::vector<std::uint32_t> gpus) {
  std::vector<std::vector<NodePart>> nodes(counts.size());
  std::vector<std::size_t> others;
  for (std::size_t job = 0; job < counts.size(); ++job) {
    std::uint32_t had = 0;
    for (const NodePart& part : held[job]) had += part.gpus;
    if (had != counts[job]) {
      others.push_back(job);
      continue;
    }
    nodes[job] = held[job];
    for (const NodePart& part : held[job]) gpus[part.node] -= part.gpus;
  }
  std::ranges::stable_sort(others, {}, [&](std::size_t job) { return counts[job]; });
  for (const std::size_t job : others) {
    for (std::uint32_t left = counts[job]; left > 0;) {
      const auto most = std::ranges::max_element(gpus);
      if (most == gpus.end() || *most == 0) throw fault("jobs are placed that need more GPUs than there are");
      const std::uint32_t taken = std::min(left, *most);
      nodes[job].push_back({static_cast<std::uint32_t>(most - gpus.begin()), taken});
      *most -= taken;
      left -= taken;
    }
  }
  return nodes;
}

}  // namespace palstudy
