// SPDX-License-Identifier: MIT
#include "sim/scheduler/elastic/elastic_decisions.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace palstudy {

void carry_out(std::span<const ElasticState> states, std::span<const ElasticDecision> decisions,
               Transaction& transaction) {
  std::vector<std::size_t> placed;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (decisions[i].stays) continue;
    if (states[i].runs()) transaction.release(states[i].job, StopReason::order);
    if (decisions[i].size.gpus > 0) placed.push_back(i);
  }
  std::ranges::stable_sort(
      placed, [&](std::size_t a, std::size_t b) { return decisions[a].size.gpus > decisions[b].size.gpus; });
  for (const std::size_t i : placed) {
    (void)transaction.place(states[i].job, decisions[i].size, Confinement{.nodes = decisions[i].nodes});
  }
}

}  // namespace palstudy
