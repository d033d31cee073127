// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "policy/placement_policy.hpp"
#include "policy/view.hpp"

namespace palstudy {
namespace {

using PerNode = std::map<std::uint32_t, int>;

/// GPUs by node for a job of so many on four nodes of 8 with 3, 8, 5 and 8 free; empty where it does not fit.
PerNode placed(std::uint32_t gpus, std::initializer_list<std::uint32_t> free_gpus = {3, 8, 5, 8}) {
  const Topology topology(std::vector<NodeGroup>{{4, 8}}, 4);
  const Bins bins(Slowdowns::flat({"A"}, 32), BinRule{1, false});
  const auto policy = placements().at("consolidate").make({topology, bins, LocalityPenalty{}, 1}, {});
  FreeGpus free(topology, bins, policy->needs());
  std::uint32_t node = 0;
  for (const std::uint32_t n : free_gpus) {
    if (n < 8) free.take({NodeId(node), lowest(0xFF, 8 - n)});
    ++node;
  }
  GpuSet chosen;
  const bool fits = policy->choose({JobId(0), ClassId(0), gpus, 0}, free, chosen);
  PerNode per_node;
  for (const NodeGpus& part : chosen) per_node[part.node.value] += std::popcount(part.mask);
  EXPECT_EQ(fits, !per_node.empty());
  return per_node;
}

// Hand-worked, as the artifact's placer does it: best fit up to 8 GPUs; beyond, whole nodes and the rest from the next
// node by free GPUs, an idle one before a half-used one; never on more nodes than needed.
TEST(Consolidate, PlacesOnAsFewNodesAsCanBe) {
  EXPECT_EQ(placed(3), (PerNode{{0, 3}}));
  EXPECT_EQ(placed(4), (PerNode{{2, 4}}));
  EXPECT_EQ(placed(6), (PerNode{{1, 6}}));
  EXPECT_EQ(placed(12), (PerNode{{1, 8}, {3, 4}}));
  EXPECT_EQ(placed(16), (PerNode{{1, 8}, {3, 8}}));
  EXPECT_EQ(placed(20), (PerNode{{1, 8}, {3, 8}, {2, 4}}));
  EXPECT_EQ(placed(24), PerNode{});  // as many are free, but on four nodes
  EXPECT_EQ(placed(22), PerNode{});  // the third node has 5
  EXPECT_EQ(placed(4, {3, 3, 3, 3}), PerNode{});
  EXPECT_EQ(placed(9, {1, 8, 2, 2}), (PerNode{{1, 8}, {2, 1}}));  // the most free one left, the first of equals
}

// By hand, two GPUs of 1.0 and two of 1.4: one GPU 1.2; of two drawn the slowest is 1.0 in a quarter: 1.3.
TEST(ExpectedSlowdowns, AreOfTheSlowestOfGpusDrawn) {
  const Bins bins(std::vector<ClassBins>{{{1.0, 1.4}, {0, 1, 1, 0}, {0, 1}}});
  const ExpectedSlowdowns expected(bins);
  EXPECT_DOUBLE_EQ(expected.slowest(ClassId(0), 1), 1.2);
  EXPECT_DOUBLE_EQ(expected.slowest(ClassId(0), 2), 1.3);
  EXPECT_NEAR(expected.slowest(ClassId(0), 1000), 1.4, 1e-12);
}

}  // namespace
}  // namespace palstudy
