// SPDX-License-Identifier: MIT
#include "sim/scheduler/sia/node_placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "core/random.hpp"

namespace palstudy {
namespace {

using PlacedParts = std::vector<NodePart>;

// Four nodes of 4. The job of 8 is first, on nodes 0 and 1; then that of 2 on node 2, and jobs of 1 go on round: to
// node 3, over the full nodes 0 and 1 to node 2, to node 3.
TEST(NodePlacement, GoesRoundFromJobToJob) {
  const auto nodes = place_on_nodes(std::vector<std::uint32_t>{1, 2, 8, 1, 1}, {4, 4, 4, 4}, 4);
  EXPECT_EQ(nodes, std::vector<PlacedParts>({{{3, 1}}, {{2, 2}}, {{0, 4}, {1, 4}}, {{2, 1}}, {{3, 1}}}));
}

// Seven GPUs of nodes of 4: a whole node, where one is free, and the rest from the next node on that has any.
TEST(NodePlacement, TakesTheRestWhereItIsFree) {
  EXPECT_EQ(place_on_nodes(std::vector<std::uint32_t>{7}, {2, 4, 1, 3}, 4),
            std::vector<PlacedParts>({{{1, 4}, {2, 1}, {3, 2}}}));
  // Of 8 the second whole node is looked for on all nodes in vain; then node 0 is the next one.
  EXPECT_EQ(place_on_nodes(std::vector<std::uint32_t>{8}, {2, 4, 1, 3}, 4),
            std::vector<PlacedParts>({{{1, 4}, {0, 2}, {2, 1}, {3, 1}}}));
  EXPECT_THROW((void)place_on_nodes(std::vector<std::uint32_t>{3}, {1, 1}, 4), Error);
  EXPECT_TRUE(place_on_nodes({}, {}, 4).empty());
}

// Jobs of Sia's configurations that fit in number are placed, on no GPU twice, and none of a node or less is split.
TEST(NodePlacement, SplitsNoJobOfANode) {
  for (std::uint32_t number = 0; number < 500; ++number) {
    std::vector<std::uint32_t> jobs;
    std::uint32_t left = 32;
    for (std::uint32_t i = 0; left > 0; ++i) {
      const auto words = draw(3, Purpose::cluster_draw, number, i);
      const std::uint32_t gpus = words[0] % 8 == 0 ? 8 * (2 + words[1] % 2) : 1u << words[1] % 4;
      if (gpus > left) continue;
      jobs.push_back(gpus);
      left -= gpus;
    }
    std::vector<std::uint32_t> used(4);
    const auto nodes = place_on_nodes(jobs, {8, 8, 8, 8}, 8);
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      std::uint32_t had = 0;
      for (const NodePart& part : nodes[job]) {
        had += part.gpus;
        used[part.node] += part.gpus;
      }
      EXPECT_EQ(had, jobs[job]);
      EXPECT_EQ(nodes[job].size(), (jobs[job] + 7) / 8);
    }
    EXPECT_EQ(used, std::vector<std::uint32_t>({8, 8, 8, 8}));
  }
}

}  // namespace
}  // namespace palstudy
