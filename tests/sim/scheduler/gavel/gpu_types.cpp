// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/gpu_types.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

/// Two nodes of two GPUs. Class A: 1, 1, 2, 2; class B, which spreads less: 1, 1.1, 1, 1.
struct FourGpus {
  std::vector<NodeGroup> groups = {{2, 2}};
  Topology topology{groups, 16};
  Bins bins{std::vector<ClassBins>{{{1, 2}, {0, 0, 1, 1}, {0, 1}}, {{1, 1.1}, {0, 1, 0, 0}, {0, 1}}}};
};

TEST(GpuTypes, AreTheBinsOfTheClassThatSpreadsMost) {
  const FourGpus four;
  const GpuTypes types(four.topology, four.bins, TypeRule::widest, false);
  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types.allowed(0, NodeId(0)), 3U);
  EXPECT_EQ(types.allowed(0, NodeId(1)), 0U);
  EXPECT_EQ(types.count(std::vector<GpuMask>{3, 1}), std::vector<std::uint32_t>({2, 1}));
  EXPECT_EQ(types.speeds(ClassId(0), 1), std::vector<double>({1, 0.5}));
  // One GPU of B: the mean of 1 and 1 / 1.1. Two are as fast as the slower.
  EXPECT_DOUBLE_EQ(types.speeds(ClassId(1), 1)[0], (1 + 1 / 1.1) / 2);
  EXPECT_DOUBLE_EQ(types.speeds(ClassId(1), 2)[0], 1 / 1.1);
}

// Joint: (A, B) bins are (0,0), (0,1), (1,0), (1,0).
TEST(GpuTypes, JointTypesShareABinInEveryClass) {
  const FourGpus four;
  const GpuTypes types(four.topology, four.bins, TypeRule::joint, false);
  EXPECT_EQ(types.count(std::vector<GpuMask>{3, 3}), std::vector<std::uint32_t>({1, 1, 2}));
}

TEST(GpuTypes, NestedTypesAllowAllFasterOnes) {
  const FourGpus four;
  const GpuTypes types(four.topology, four.bins, TypeRule::widest, true);
  EXPECT_EQ(types.allowed(1, NodeId(0)), 3U);
  EXPECT_EQ(types.allowed(1, NodeId(1)), 3U);
  EXPECT_EQ(types.count(std::vector<GpuMask>{3, 3}), std::vector<std::uint32_t>({2, 2}));
}

// Slow GPUs are 1 and 2, 3 of another node. In groups of two the first comes with the fast one beside it, after 2
// and 3.
TEST(GpuTypes, TheSlowestAreTakenInWholeGroups) {
  const std::vector<NodeGroup> groups = {{2, 2}};
  const Topology topology(groups, 16);
  const Bins bins(std::vector<ClassBins>{{{1, 2}, {0, 1, 1, 1}, {0, 1}}});
  const GpuTypes types(topology, bins, TypeRule::widest, false);
  const auto taken = [&](std::uint32_t gpus, std::uint32_t group, std::vector<GpuMask> available) {
    return types.take_slowest(gpus, group, available);
  };
  EXPECT_EQ(taken(2, 1, {3, 3}), (GpuSet{{NodeId(0), 2}, {NodeId(1), 1}}));
  EXPECT_EQ(taken(2, 2, {3, 3}), (GpuSet{{NodeId(1), 3}}));
  EXPECT_EQ(taken(4, 2, {3, 3}), (GpuSet{{NodeId(0), 3}, {NodeId(1), 3}}));
  EXPECT_TRUE(taken(2, 2, {2, 1}).empty());
}

// Two of the GPUs with slowdowns 1, 1, 2: of three pairs one is fast.
TEST(GpuTypes, AGangIsAsFastAsItsSlowestOnTheAverage) {
  const std::vector<NodeGroup> groups = {{1, 4}};
  const Topology topology(groups, 16);
  const Bins bins(std::vector<ClassBins>{{{1, 4}, {0, 0, 0, 1}, {0, 1}}, {{1, 2}, {0, 0, 1, 0}, {0, 1}}});
  const GpuTypes types(topology, bins, TypeRule::widest, false);
  EXPECT_DOUBLE_EQ(types.speeds(ClassId(1), 2)[0], 1.0 / 3 * 1 + 2.0 / 3 * 0.5);
}

// A class whose GPUs are all equally slow has no spread, however slow they are: the types are those of the other.
TEST(GpuTypes, ASlownessThatAllShareIsNoSpread) {
  const std::vector<NodeGroup> groups = {{2, 2}};
  const Topology topology(groups, 16);
  const Bins bins(std::vector<ClassBins>{{{3}, {0, 0, 0, 0}, {0}}, {{1, 1.1}, {0, 1, 0, 0}, {0, 1}}});
  const GpuTypes types(topology, bins, TypeRule::widest, false);
  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types.count(std::vector<GpuMask>{3, 3}), std::vector<std::uint32_t>({3, 1}));
}

// Slowdowns of 2, 1 and 1, whichever GPU has which: of three pairs one is fast, and three are as fast as the slowest.
TEST(GpuTypes, WhichGpuOfATypeIsSlowDoesNotMatter) {
  const std::vector<NodeGroup> groups = {{1, 4}};
  const Topology topology(groups, 16);
  for (std::size_t slow = 0; slow < 3; ++slow) {
    std::vector<std::uint16_t> of_gpu(4, 0);
    of_gpu[slow] = 1;
    const Bins bins(std::vector<ClassBins>{{{1, 4}, {0, 0, 0, 1}, {0, 1}}, {{1, 2}, of_gpu, {0, 1}}});
    const GpuTypes types(topology, bins, TypeRule::widest, false);
    EXPECT_DOUBLE_EQ(types.speeds(ClassId(1), 2)[0], 1.0 / 3 * 1 + 2.0 / 3 * 0.5) << slow;
    EXPECT_DOUBLE_EQ(types.speeds(ClassId(1), 3)[0], 0.5) << slow;
  }
}

}  // namespace
}  // namespace palstudy
