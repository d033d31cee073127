// SPDX-License-Identifier: MIT
#include "sim/scheduler/sia/node_placement.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "core/error.hpp"

namespace palstudy {

std::vector<std::vector<NodePart>> place_on_nodes(std::span<const std::uint32_t> gpus_of_jobs,
                                                  std::vector<std::uint32_t> free, std::uint32_t gpus_per_node) {
  std::vector<std::size_t> widest_first(gpus_of_jobs.size());
  std::iota(widest_first.begin(), widest_first.end(), std::size_t{0});
  std::ranges::stable_sort(widest_first, std::ranges::greater{}, [&](std::size_t job) { return gpus_of_jobs[job]; });
  std::vector<std::vector<NodePart>> nodes(gpus_of_jobs.size());
  std::uint32_t at = 0;
  for (const std::size_t job : widest_first) {
    std::uint32_t left = gpus_of_jobs[job];
    // Goes round once at most; takes nodes with at least so many free GPUs.
    const auto go_round = [&](std::uint32_t needed, std::uint32_t least) {
      for (std::size_t looked = 0; looked < free.size() && left >= needed; ++looked) {
        if (free[at] >= least) {
          const std::uint32_t taken = std::min(left, free[at]);
          nodes[job].push_back({at, taken});
          free[at] -= taken;
          left -= taken;
        }
        at = at + 1 == free.size() ? 0 : at + 1;
      }
    };
    go_round(gpus_per_node, gpus_per_node);
    go_round(1, 1);
    if (left > 0) throw fault("jobs are placed that need more GPUs than are free");
  }
  return nodes;
}

}  // namespace palstudy
