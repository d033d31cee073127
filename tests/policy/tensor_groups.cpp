// SPDX-License-Identifier: MIT
#include "policy/tensor_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "cluster/random_bins.hpp"
#include "core/random.hpp"

namespace palstudy {
namespace {

constexpr std::uint32_t nodes = 12;

/// Nodes of 8 and 4 GPUs with some of them taken.
struct MixedCluster {
  explicit MixedCluster(std::uint64_t seed, double taken)
      : topology(std::vector<NodeGroup>{{nodes / 2, 8}, {nodes / 2, 4}}, 16),
        truth(Slowdowns::flat({"A"}, topology.gpus())),
        bins(truth, BinRule{}),
        free(topology, bins, IndexNeeds{.counts = true}) {
    RandomStream random(seed, Purpose::job_shape, 1);
    for (std::uint32_t n = 0; n < nodes; ++n) {
      GpuMask mask = 0;
      for (std::uint32_t g = 0; g < topology.gpus_of(NodeId(n)); ++g) mask |= (random.uniform() < taken ? 1U : 0U) << g;
      if (mask != 0) free.take({NodeId(n), mask});
    }
  }
  Topology topology;
  Slowdowns truth;
  Bins bins;
  FreeGpus free;
};

std::uint32_t size_of(GpuMask mask) { return static_cast<std::uint32_t>(std::popcount(mask)); }

/// Any `gpus` free ones, drawn.
GpuSet drawn_choice(const FreeGpus& free, std::uint32_t gpus, std::uint64_t seed) {
  RandomStream random(seed, Purpose::job_shape, 2);
  std::vector<GpuMask> chosen(nodes, 0);
  while (gpus > 0) {
    const std::uint32_t n = random.below(nodes), bit = 1U << random.below(8);
    if ((free.mask(NodeId(n)) & bit) == 0 || (chosen[n] & bit) != 0) continue;
    chosen[n] |= bit;
    --gpus;
  }
  GpuSet set;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (chosen[n] != 0) set.push_back({NodeId(n), chosen[n]});
  }
  return set;
}

// Nodes 0 and 2 have one free GPU each, too few for a group of two, so the group lies on node 1, which was not chosen:
// on those of its GPUs that are free, 1 and 2.
TEST(TensorGroups, TakeFreeGpusOfANodeThatWasNotChosen) {
  MixedCluster cluster(1, 1);
  cluster.free.give({NodeId(0), 0b10});
  cluster.free.give({NodeId(1), 0b110});
  cluster.free.give({NodeId(2), 0b10});
  GpuSet kept = {{NodeId(0), 0b10}, {NodeId(2), 0b10}};
  ASSERT_TRUE(keep_groups_whole(2, cluster.free, kept));
  EXPECT_EQ(kept, (GpuSet{{NodeId(1), 0b110}}));
}

// Whatever the choice: as many GPUs, all of them free, whole groups on every node, nodes ascending; possible exactly
// where the groups that free GPUs make suffice; unchanged if it was whole already; and a second time nothing changes.
TEST(TensorGroups, AreKeptWhole) {
  int changed = 0, impossible = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    MixedCluster cluster(seed, 0.05 + 0.001 * static_cast<double>(seed));
    const std::uint32_t group = 1U << (1 + seed % 3);
    const std::uint32_t gpus = group * (1 + static_cast<std::uint32_t>(seed / 3 % 4));
    if (cluster.free.total() < gpus) continue;
    const GpuSet choice = drawn_choice(cluster.free, gpus, seed);
    std::uint32_t room = 0;
    for (std::uint32_t n = 0; n < nodes; ++n) room += size_of(cluster.free.mask(NodeId(n))) / group * group;
    GpuSet kept = choice;
    ASSERT_EQ(keep_groups_whole(group, cluster.free, kept), room >= gpus) << seed;
    if (room < gpus) {
      ++impossible;
      continue;
    }
    EXPECT_EQ(count(kept), gpus) << seed;
    const bool was_whole =
        std::all_of(choice.begin(), choice.end(), [&](const auto& p) { return size_of(p.mask) % group == 0; });
    if (was_whole) {
      EXPECT_EQ(kept, choice) << seed;
    }
    changed += kept == choice ? 0 : 1;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      EXPECT_EQ(size_of(kept[i].mask) % group, 0u) << seed;
      EXPECT_EQ(kept[i].mask & ~cluster.free.mask(kept[i].node), 0u) << seed;
      if (i > 0) {
        EXPECT_LT(kept[i - 1].node, kept[i].node) << seed;
      }
    }
    GpuSet again = kept;
    EXPECT_TRUE(keep_groups_whole(group, cluster.free, again));
    EXPECT_EQ(again, kept) << seed;
  }
  EXPECT_GT(changed, 100);
  EXPECT_GT(impossible, 10);
}

// By hand, groups of 4 on free nodes of 8: of 6 on node 2 and 2 on node 0, node 2 comes first and gets all 8, the
// chosen ones and the lowest others; of 5 on node 2 and 3 on node 0 too.
TEST(TensorGroups, FollowWhatThePolicyChoseMostOf) {
  MixedCluster cluster(0, 0);
  GpuSet gpus = {{NodeId(0), 0b11}, {NodeId(2), 0b11111100}};
  ASSERT_TRUE(keep_groups_whole(4, cluster.free, gpus));
  EXPECT_EQ(gpus, (GpuSet{{NodeId(2), 0b11111111}}));
  gpus = {{NodeId(0), 0b1}, {NodeId(2), 0b11100000}};
  ASSERT_TRUE(keep_groups_whole(4, cluster.free, gpus));
  EXPECT_EQ(gpus, (GpuSet{{NodeId(2), 0b11100001}}));
}

// 6 nodes of 8 and 6 of 4: groups of 8 fit the first alone, groups of 3 leave two GPUs of a node of 8 and one of a node
// of 4.
TEST(TensorGroups, CountsWhatFitsNodes) {
  const MixedCluster cluster(0, 0);
  EXPECT_EQ(gpus_in_groups(8, cluster.topology, NodeId(0), nodes), 48u);
  EXPECT_EQ(gpus_in_groups(3, cluster.topology, NodeId(0), nodes), 6u * 6 + 6 * 3);
  EXPECT_EQ(gpus_in_groups(8, cluster.topology, NodeId(5), 2), 8u);
}

}  // namespace
}  // namespace palstudy
