// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

#include "core/random.hpp"
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

/// What `consolidate` chooses for a job on a topology of which some GPUs are taken.
PerNode chosen(const Topology& whole, const Topology& partition, const std::vector<std::uint32_t>& taken,
               std::uint32_t gpus) {
  const Bins bins_of_whole(Slowdowns::flat({"A"}, whole.gpus()), BinRule{1, false});
  const Bins bins(Slowdowns::flat({"A"}, partition.gpus()), BinRule{1, false});
  const auto policy = placements().at("consolidate").make({whole, bins_of_whole, LocalityPenalty{}, 1}, {});
  FreeGpus free(partition, bins, policy->needs());
  for (std::uint32_t n = 0; n < taken.size(); ++n) {
    if (taken[n] > 0) free.take({NodeId(n), lowest(partition.full(NodeId(n)), taken[n])});
  }
  GpuSet set;
  const bool fits = policy->choose({JobId(0), ClassId(0), gpus, 0}, free, set);
  PerNode per_node;
  for (const NodeGpus& part : set) {
    EXPECT_EQ(part.mask & ~free.mask(part.node), 0U);
    per_node[part.node.value] += std::popcount(part.mask);
  }
  EXPECT_EQ(fits, !per_node.empty());
  return per_node;
}

Topology nodes_of(std::vector<NodeGroup> groups) { return {groups, 16}; }

// By hand, on two nodes of 8 and two of 2 GPUs: 20 are all of them. 17 need three nodes, the last of which gives one;
// 10 need two, and of those with the most free GPUs the idle one comes first. With the first wide node half used 10 fit
// still, 13 do not: the second node would have to give five.
TEST(Consolidate, TakesNarrowNodesWhereWideOnesDoNotSuffice) {
  const Topology mixed = nodes_of({{2, 8}, {2, 2}});
  const std::vector<std::uint32_t> idle(4, 0), half = {4, 0, 0, 0};
  EXPECT_EQ(chosen(mixed, mixed, idle, 20), (PerNode{{0, 8}, {1, 8}, {2, 2}, {3, 2}}));
  EXPECT_EQ(chosen(mixed, mixed, idle, 17), (PerNode{{0, 8}, {1, 8}, {2, 1}}));
  EXPECT_EQ(chosen(mixed, mixed, idle, 10), (PerNode{{0, 8}, {1, 2}}));
  EXPECT_EQ(chosen(mixed, mixed, half, 10), (PerNode{{1, 8}, {0, 2}}));
  EXPECT_EQ(chosen(mixed, mixed, half, 13), PerNode{});
}

// A half-used wide node has as many free GPUs as an idle narrow one and is no whole node all the same: of the nodes of
// 4 the idle one is taken whole, and the rest comes from the wide one.
TEST(Consolidate, TellsIdleNodesFromHalfUsedOnes) {
  const Topology mixed = nodes_of({{1, 8}, {3, 4}});
  EXPECT_EQ(chosen(mixed, mixed, {4, 0, 4, 4}, 8), PerNode{});    // one node could hold it
  EXPECT_EQ(chosen(mixed, mixed, {5, 0, 0, 1}, 9), (PerNode{}));  // 3 + 4 + 4 + 3 are free; two nodes hold 7 of them
  const Topology more = nodes_of({{2, 8}, {2, 4}});
  EXPECT_EQ(chosen(more, more, {4, 0, 4, 0}, 12), (PerNode{{1, 8}, {0, 4}}));
  EXPECT_EQ(chosen(more, more, {8, 4, 4, 0}, 8), PerNode{});
}

// A partition has nodes of 2 GPUs, another one wider ones: what counts are its own.
TEST(Consolidate, CountsTheNodesOfThePartition) {
  const Topology whole = nodes_of({{2, 4}, {3, 2}});
  const Topology narrow = whole.slice(NodeId(2), 3);
  EXPECT_EQ(chosen(whole, narrow, {0, 0, 0}, 4), (PerNode{{0, 2}, {1, 2}}));
  EXPECT_EQ(chosen(whole, narrow, {1, 0, 0}, 3), (PerNode{{1, 2}, {2, 1}}));
}

/// The fewest nodes that would hold a job if all were idle, by trying all sets.
int fewest_by_trying(const Topology& topology, std::uint32_t gpus) {
  int fewest = static_cast<int>(topology.nodes());
  for (std::uint32_t set = 1; set < 1U << topology.nodes(); ++set) {
    std::uint32_t room = 0;
    for (std::uint32_t n = 0; n < topology.nodes(); ++n) room += (set >> n & 1U) * topology.gpus_of(NodeId(n));
    if (room >= gpus) fewest = std::min(fewest, std::popcount(set));
  }
  return fewest;
}

/// Whether some set of so many nodes gives the job whole idle ones and a rest, by trying all.
bool fits_by_trying(const Topology& topology, const std::vector<std::uint32_t>& taken, std::uint32_t gpus, int nodes) {
  for (std::uint32_t set = 1; set < 1U << topology.nodes(); ++set) {
    if (std::popcount(set) != nodes) continue;
    for (std::uint32_t last = 0; last < topology.nodes(); ++last) {
      if ((set >> last & 1U) == 0) continue;
      std::uint32_t whole = 0;
      bool idle = true;
      for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
        if (n == last || (set >> n & 1U) == 0) continue;
        idle = idle && taken[n] == 0;
        whole += topology.gpus_of(NodeId(n));
      }
      if (idle && whole < gpus && gpus - whole <= topology.gpus_of(NodeId(last)) - taken[last]) return true;
    }
  }
  return false;
}

// On any mix of nodes a job is placed exactly where the rule can be kept, on the fewest nodes, all whole but one; and
// on idle nodes every job that they hold.
TEST(Consolidate, KeepsItsRuleOnAnyMixOfNodes) {
  RandomStream random(7, Purpose::job_shape, 0);
  int placed = 0, refused = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<NodeGroup> groups;
    std::vector<std::uint32_t> taken;
    for (std::uint32_t n = 1 + random.below(6); n > 0; --n) groups.push_back({1, 1 + random.below(5)});
    const Topology topology(groups, 16);
    for (const NodeGroup& group : groups)
      taken.push_back(round % 4 == 0 || random.below(2) == 0 ? 0 : random.below(group.gpus + 1));
    for (std::uint32_t gpus = 1; gpus <= topology.gpus(); ++gpus) {
      const int fewest = fewest_by_trying(topology, gpus);
      const PerNode per_node = chosen(topology, topology, taken, gpus);
      ASSERT_EQ(!per_node.empty(), fits_by_trying(topology, taken, gpus, fewest)) << round << " " << gpus;
      if (round % 4 == 0) {
        ASSERT_FALSE(per_node.empty());
      }
      (per_node.empty() ? refused : placed) += 1;
      if (per_node.empty()) continue;
      EXPECT_EQ(static_cast<int>(per_node.size()), fewest);
      int sum = 0, broken = 0;
      for (const auto& [node, held] : per_node) {
        sum += held;
        broken += held < static_cast<int>(topology.gpus_of(NodeId(node))) ? 1 : 0;
      }
      EXPECT_EQ(sum, static_cast<int>(gpus));
      EXPECT_LE(broken, 1);
    }
  }
  EXPECT_GT(placed, 1000);
  EXPECT_GT(refused, 300);
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
