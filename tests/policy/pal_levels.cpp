// SPDX-License-Identifier: MIT
// pal-levels by hand, and where it chooses what pal chooses.
#include <gtest/gtest.h>

#include "cluster/random_bins.hpp"
#include "policy/slow_placer.hpp"

namespace palstudy {
namespace {

GpuSet choose(const char* policy, const Topology& topology, const Bins& bins, LocalityPenalty penalty, std::uint32_t n,
              const GpuSet& taken = {}) {
  const auto placement = placements().at(policy).make({topology, bins, penalty, 1}, {});
  FreeGpus free(topology, bins, placement->needs());
  for (const NodeGpus& part : taken) free.take(part);
  GpuSet chosen;
  if (!placement->choose({JobId(0), ClassId(0), n, 0}, free, chosen)) return {};
  canonicalize(chosen);
  return chosen;
}

/// Four nodes of 2 GPUs, two a cabinet. Values 1 and 1.5: in the first cabinet each node has one GPU of each, in the
/// second node 2 is slow and node 3 fast.
class PalLevelsByHand : public testing::Test {
 protected:
  GpuSet pal_levels(std::uint32_t n, LocalityPenalty penalty, const GpuSet& taken = {}) {
    return choose("pal-levels", topology_, bins_, penalty, n, taken);
  }
  Topology topology_{std::vector<NodeGroup>{{4, 2}}, 2};
  Bins bins_{std::vector<ClassBins>{{{1.0, 1.5}, {0, 1, 0, 1, 1, 1, 0, 0}, {0, 1}}}};
};

// Two GPUs: node 3 has two fast ones: product 1. Without node 3: two fast ones are in cabinet 0, product p.cabinet; one
// slow node, 1.5. So the cabinet is taken at 1.4, and at 1.6 a node, of which all hold two and node 0 is the lowest.
TEST_F(PalLevelsByHand, WeighsEveryLevel) {
  const GpuSet node3{{NodeId(3), 0b11}};
  EXPECT_EQ(pal_levels(2, {1, 1.4, 3}), node3);
  EXPECT_EQ(pal_levels(2, {1, 1.4, 3}, node3), (GpuSet{{NodeId(0), 0b01}, {NodeId(1), 0b01}}));
  EXPECT_EQ(pal_levels(2, {1, 1.6, 3}, node3), (GpuSet{{NodeId(0), 0b11}}));
}

// One fast GPU of each cabinet is free, and a slow one beside that of cabinet 0. At p.cluster = 1.4 the two fast ones
// (1.4) go before the node of both kinds (1.5); at 1.6 after.
TEST_F(PalLevelsByHand, GoesToTheClusterForFasterGpus) {
  const GpuSet taken{{NodeId(1), 0b11}, {NodeId(2), 0b11}, {NodeId(3), 0b10}};
  EXPECT_EQ(pal_levels(2, {1, 1.2, 1.4}, taken), (GpuSet{{NodeId(0), 0b01}, {NodeId(3), 0b01}}));
  EXPECT_EQ(pal_levels(2, {1, 1.2, 1.6}, taken), (GpuSet{{NodeId(0), 0b11}}));
}

// Wider than a node: 4 GPUs in one cabinet cost 1.5 x 1.2 = 1.8, the four fast ones of the cluster 1 x p.cluster. Both
// cabinets have four free, so the lower one. Three GPUs: a whole node, then as much as is left of another.
TEST_F(PalLevelsByHand, WideJobsGetLevelsToo) {
  EXPECT_EQ(pal_levels(4, {1, 1.2, 2}), (GpuSet{{NodeId(0), 0b11}, {NodeId(1), 0b11}}));
  EXPECT_EQ(pal_levels(4, {1, 1.2, 1.7}), (GpuSet{{NodeId(0), 0b01}, {NodeId(1), 0b01}, {NodeId(3), 0b11}}));
  EXPECT_EQ(pal_levels(3, {1, 1.2, 2}, {{NodeId(0), 0b01}}), (GpuSet{{NodeId(2), 0b11}, {NodeId(3), 0b01}}));
}

// Wider than a cabinet: the cluster is the only level. 5 GPUs: all fast ones do not suffice; whole nodes, lowest first,
// and the last GPU where it leaves no hole: node 2, of which one GPU is taken.
TEST_F(PalLevelsByHand, JobsWiderThanACabinetSpanTheClusterOnFewestNodes) {
  EXPECT_EQ(pal_levels(5, {1, 1.2, 2}, {{NodeId(2), 0b01}}),
            (GpuSet{{NodeId(0), 0b11}, {NodeId(1), 0b11}, {NodeId(2), 0b10}}));
  EXPECT_EQ(pal_levels(9, {}), GpuSet{});
}

// Where there is one level wider than the node, and for jobs that fit a node, pal-levels chooses exactly what pal does
// with that level's penalty: in a single cabinet, and where each node is a cabinet. One GPU is chosen as by pm-first
// everywhere.
TEST(PalLevels, IsPalWithOneLevelOverTheNode) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    RandomStream random(seed, Purpose::job_shape, 0);
    const std::vector<NodeGroup> groups{{2 + random.below(8), 2 + random.below(7)}};
    const LocalityPenalty penalty{1, 1 + 0.1 * random.below(8), 1 + 0.1 * random.below(8)};
    const Topology one_cabinet(groups, 10), no_cabinets(groups, 1), pairs(groups, 2);
    const Bins bins = random_bins(one_cabinet.gpus(), {1 + random.below(5)}, random);
    GpuSet taken;
    for (std::uint32_t node = 0; node < groups[0].count; ++node) {
      const GpuMask mask = random.word() & random.word() & one_cabinet.full(NodeId(node));
      if (mask != 0) taken.push_back({NodeId(node), mask});
    }
    for (std::uint32_t n = 1; n <= one_cabinet.widest_node(); ++n) {
      const LocalityPenalty cabinet{penalty.node, penalty.cabinet, penalty.cabinet};
      EXPECT_EQ(choose("pal-levels", one_cabinet, bins, penalty, n, taken),
                choose("pal", one_cabinet, bins, cabinet, n, taken));
      EXPECT_EQ(choose("pal-levels", no_cabinets, bins, penalty, n, taken),
                choose("pal", no_cabinets, bins, penalty, n, taken));
    }
    EXPECT_EQ(choose("pal-levels", pairs, bins, penalty, 1, taken), choose("pm-first", pairs, bins, penalty, 1, taken));
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace palstudy
