// SPDX-License-Identifier: MIT
// Probe: a confinement to some nodes and bins, under every placement. The GPUs come from these nodes and bins alone,
// the rest of the index is as before, and a job that does not fit there is not placed, however much is free elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "sim/partition_parts.hpp"

namespace palstudy {
namespace {

/// Six nodes of four GPUs in two cabinets; the GPUs of a node have slowdowns 0.9, 1.0, 1.1 and 1.2, which are bins 0
/// to 3.
SmallWorld six_nodes(const std::string& placement) {
  SmallWorld world;
  world.nodes = 6;
  world.nodes_per_cabinet = 3;
  world.placement = placement;
  world.bins.bins = 4;
  for (int g = 0; g < 24; ++g) world.slowdown_values.push_back(0.9 + 0.1 * (g % 4));
  for (const std::uint32_t gpus : {2u, 5u, 1u}) world.add(0, gpus, 100);
  world.measure.last = 2;
  return world;
}

void expect_confined(const PartitionParts& parts, const GpuSet& gpus, const Confinement& to) {
  for (const NodeGpus& part : gpus) {
    EXPECT_TRUE(std::binary_search(to.nodes.begin(), to.nodes.end(), part.node));
    for (GpuMask rest = part.mask; rest != 0; rest &= rest - 1) {
      const std::size_t gpu = part.node.index() * 4 + static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint32_t bin = parts.state.free.bins().of(ClassId(0)).of_gpu[gpu];
      EXPECT_GE(bin, to.first_bin);
      EXPECT_LE(bin, to.last_bin);
    }
  }
}

TEST(Probes, AConfinementHoldsUnderEveryPlacement) {
  const std::vector<NodeId> nodes = {NodeId(1), NodeId(2), NodeId(4)};
  for (const auto& placement : placements().names()) {
    SCOPED_TRACE(placement);
    with_parts(six_nodes(placement), [&](PartitionParts& parts) {
      parts.transaction.begin(0);
      const Confinement middle{nodes, 1, 2};  // six GPUs
      EXPECT_TRUE(parts.transaction.place(JobId(0), middle));
      expect_confined(parts, parts.transaction.last_placement(), middle);
      EXPECT_EQ(count(parts.transaction.last_placement()), 2U);
      EXPECT_FALSE(parts.transaction.place(JobId(1), middle)) << "four are left there, 22 in all";
      EXPECT_EQ(parts.state.free.total(), 22U);
      EXPECT_TRUE(parts.transaction.place(JobId(2), {{}, 3, 3}));
      EXPECT_EQ(parts.state.free.total(), 21U);
      EXPECT_TRUE(parts.transaction.place(JobId(1)));
    });
  }
}

}  // namespace
}  // namespace palstudy
