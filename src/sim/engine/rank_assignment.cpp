// SPDX-License-Identifier: MIT
#include "sim/engine/rank_assignment.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace palstudy {

std::vector<int> assign_partitions(const std::vector<double>& cost, int ranks) {
  std::vector<std::size_t> dearest(cost.size());
  std::iota(dearest.begin(), dearest.end(), std::size_t{0});
  std::stable_sort(dearest.begin(), dearest.end(), [&](std::size_t a, std::size_t b) { return cost[a] > cost[b]; });
  std::vector<double> load(static_cast<std::size_t>(ranks), 0.0);
  std::vector<int> owner(cost.size());
  for (const std::size_t p : dearest) {
    const auto least = std::min_element(load.begin(), load.end());
    owner[p] = static_cast<int>(least - load.begin());
    *least += cost[p];
  }
  return owner;
}

double heaviest(const std::vector<double>& cost, const std::vector<int>& owner, int ranks) {
  std::vector<double> load(static_cast<std::size_t>(ranks), 0.0);
  for (std::size_t p = 0; p < cost.size(); ++p) load[static_cast<std::size_t>(owner[p])] += cost[p];
  return *std::max_element(load.begin(), load.end());
}

}  // namespace palstudy
