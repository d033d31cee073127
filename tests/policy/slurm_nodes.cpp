// SPDX-License-Identifier: MIT
// Nodes as Slurm chooses them, worked out by hand.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <vector>

#include "core/random.hpp"
#include "policy/placement_policy.hpp"

namespace palstudy {
namespace {

using PerNode = std::map<std::uint32_t, int>;

/// GPUs by node for a job of so many on nodes of 4 with so many free; empty where it waits.
PerNode slurm_placed(std::uint32_t gpus, const std::vector<std::uint32_t>& free_gpus,
                     const std::vector<double>& weights = {}) {
  const Topology topology(std::vector<NodeGroup>{{static_cast<std::uint32_t>(free_gpus.size()), 4}}, 4);
  const Bins bins(Slowdowns::flat({"A"}, topology.gpus()), BinRule{1, false});
  const auto policy = placements().at("slurm").make({topology, bins, LocalityPenalty{}, 1, nullptr, weights}, {});
  FreeGpus free(topology, bins, policy->needs());
  for (std::uint32_t n = 0; n < free_gpus.size(); ++n) {
    if (free_gpus[n] < 4) free.take({NodeId(n), lowest(0xF, 4 - free_gpus[n])});
  }
  GpuSet chosen;
  const bool fits = policy->choose({JobId(0), ClassId(0), gpus, 0}, free, chosen);
  PerNode per_node;
  for (const NodeGpus& part : chosen) per_node[part.node.value] += std::popcount(part.mask);
  EXPECT_EQ(fits, !per_node.empty());
  return per_node;
}

// The recorded example: node 1 is full, node 2 half full, nodes 0 and 3 are free. A job of 2 takes the run of one node,
// not the fullest node in the run of two.
TEST(SlurmNodes, TakesTheSmallestRunOfNeighbours) {
  EXPECT_EQ(slurm_placed(2, {4, 0, 2, 4}), (PerNode{{0, 2}}));
  EXPECT_EQ(slurm_placed(2, {4, 4, 0, 2}), (PerNode{{3, 2}}));
  EXPECT_EQ(slurm_placed(8, {4, 4, 4, 0, 4, 4}), (PerNode{{4, 4}, {5, 4}}));
  EXPECT_EQ(slurm_placed(8, {4, 4, 0, 4, 4}), (PerNode{{0, 4}, {1, 4}}));  // the lowest of equals
}

// No run has four nodes: the largest is used up, then the smallest that has the rest.
TEST(SlurmNodes, UsesUpTheLargestRunWhereNoneIsEnough) {
  EXPECT_EQ(slurm_placed(16, {4, 4, 0, 4, 4, 4, 0, 4}), (PerNode{{3, 4}, {4, 4}, {5, 4}, {7, 4}}));
}

// A job that a node cannot hold is spread evenly over as few nodes as could hold it; no other number of nodes will do.
TEST(SlurmNodes, WideJobsWantWholeNodesEvenly) {
  EXPECT_EQ(slurm_placed(6, {4, 3, 0, 4}), (PerNode{{0, 3}, {1, 3}}));
  EXPECT_EQ(slurm_placed(7, {4, 4, 0, 4}), (PerNode{{0, 4}, {1, 3}}));
  EXPECT_EQ(slurm_placed(8, {4, 3, 3, 4, 0, 3}), (PerNode{{0, 4}, {3, 4}}));
  EXPECT_EQ(slurm_placed(8, {4, 3, 3, 3, 3}), PerNode{});
}

// With few free GPUs the nodes are found by the index, with many one by one: those of a machine on which nearly all is
// taken are those of its free part alone.
TEST(SlurmNodes, AreTheSameHoweverFewAreFree) {
  RandomStream random(4, Purpose::job_shape, 0);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint32_t> some(1 + random.below(8));
    for (std::uint32_t& free : some) free = random.below(5);
    std::vector<std::uint32_t> beside_many = some;
    beside_many.resize(200, 0);
    const std::uint32_t gpus = 1 + random.below(20);
    EXPECT_EQ(slurm_placed(gpus, some), slurm_placed(gpus, beside_many));
  }
}

// The lightest nodes come first; heavier ones are looked at where those are not enough, and then as runs of their own.
TEST(SlurmNodes, LighterNodesComeFirst) {
  EXPECT_EQ(slurm_placed(4, {4, 0, 4, 4}, {10, 10, 40, 20}), (PerNode{{0, 4}}));
  EXPECT_EQ(slurm_placed(8, {4, 0, 4, 4}, {10, 10, 40, 20}), (PerNode{{0, 4}, {3, 4}}));
  EXPECT_EQ(slurm_placed(12, {4, 4, 4, 4}, {2, 1, 1, 2}), (PerNode{{0, 4}, {1, 4}, {2, 4}}));
}

}  // namespace
}  // namespace palstudy
