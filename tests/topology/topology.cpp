// SPDX-License-Identifier: MIT
#include "topology/topology.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include "core/error.hpp"
#include "topology/partitioning.hpp"

namespace palstudy {
namespace {

// Two nodes of 4 and one of 8: GPUs 0-3, 4-7, 8-15; two nodes a cabinet.
Topology mixed() {
  const std::vector<NodeGroup> groups = {{2, 4}, {1, 8}};
  return {groups, 2};
}

TEST(Topology, NumbersGpusNodeByNode) {
  const Topology topology = mixed();
  EXPECT_EQ(topology.gpus(), 16U);
  EXPECT_EQ(topology.nodes(), 3U);
  EXPECT_EQ(topology.widest_node(), 8U);
  EXPECT_EQ(topology.first_gpu(NodeId(2)), GpuId(8));
  EXPECT_EQ(topology.full(NodeId(1)), 0xFU);
  EXPECT_EQ(topology.full(NodeId(2)), 0xFFU);
  const std::vector<std::uint32_t> node_of = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2};
  for (std::uint32_t g = 0; g < 16; ++g) EXPECT_EQ(topology.node_of(GpuId(g)).value, node_of[g]);
}

// However nodes are mixed, and whichever of them a slice takes, a GPU is in the last node that begins at or before it.
// Nodes that are alike are divided by their size, which a slice of others may become and lose.
TEST(Topology, FindsTheNodeOfEveryGpu) {
  const auto holds = [](const Topology& topology) {
    std::uint32_t node = 0;
    for (std::uint32_t g = 0; g < topology.gpus(); ++g) {
      while (node + 1 < topology.nodes() && topology.first_gpu(NodeId(node + 1)).value <= g) ++node;
      EXPECT_EQ(topology.node_of(GpuId(g)).value, node) << g;
    }
  };
  for (const std::vector<NodeGroup>& groups :
       {std::vector<NodeGroup>{{7, 3}}, {{1, 5}}, {{3, 4}, {2, 8}, {2, 4}}, {{2, 4}, {1, 2}, {1, 6}}}) {
    const Topology whole(groups, 2);
    holds(whole);
    for (std::uint32_t first = 0; first < whole.nodes(); ++first) {
      for (std::uint32_t count = 1; first + count <= whole.nodes(); ++count) holds(whole.slice(NodeId(first), count));
    }
  }
}

// All slices together have as many nodes as the whole, so they may take about as much memory; with room for the whole
// in each of them, thousands of partitions of millions of nodes would take more than any machine has.
TEST(Topology, SlicesTakeNoRoomForTheOthers) {
  constexpr std::uint32_t nodes = 1 << 19, slices = 128;
  const std::vector<NodeGroup> groups = {{nodes, 8}};
  const Topology whole(groups, 16);
  const auto heap_bytes = [] {  // of glibc's heap; a sanitizer's own one is not seen
    const struct mallinfo2 heap = mallinfo2();
    return static_cast<double>(heap.uordblks + heap.hblkhd);
  };
  const double before = heap_bytes();
  std::vector<Topology> parts;
  for (std::uint32_t i = 0; i < slices; ++i) parts.push_back(whole.slice(NodeId(i * (nodes / slices)), nodes / slices));
  EXPECT_LT(heap_bytes() - before, 4 * 4.0 * nodes);  // four bytes a node, and room to spare
  EXPECT_EQ(parts.back().gpus(), 8 * nodes / slices);
}

// Nodes 0 and 1 share a cabinet, node 2 stands in the next.
TEST(Topology, LevelIsTheWidestThatASetSpans) {
  const Topology topology = mixed();
  EXPECT_EQ(topology.level({{NodeId(1), 0b1010}}), Level::node);
  EXPECT_EQ(topology.level({{NodeId(0), 1}, {NodeId(1), 1}}), Level::cabinet);
  EXPECT_EQ(topology.level({{NodeId(0), 1}, {NodeId(2), 1}}), Level::cluster);
}

// Nodes of 4, 4, 8 and 8 GPUs in partitions of 4, 12 and 8: whole nodes, in order.
TEST(Partitioning, OfGivenSizesIsRunsOfWholeNodes) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}, {2, 8}}, 16);
  const std::vector<std::uint32_t> sizes = {4, 12, 8};
  const Partitioning parts(topology, sizes);
  ASSERT_EQ(parts.partitions(), 3u);
  EXPECT_EQ(parts.first_node(PartitionId(1)), NodeId(1));
  EXPECT_EQ(parts.nodes(PartitionId(1)), 2u);
  EXPECT_EQ(parts.gpus(PartitionId(1)), 12u);
  EXPECT_EQ(parts.widest(), 12u);
  EXPECT_FALSE(parts.alike());
  EXPECT_EQ(parts.of(NodeId(2)), PartitionId(1));
  for (const std::vector<std::uint32_t>& wrong : {std::vector<std::uint32_t>{4, 12}, {6, 18}, {24, 4}, {0, 24}}) {
    EXPECT_THROW(Partitioning(topology, wrong), Error);
  }
}

TEST(Topology, RefusesEmptyAndOversizedNodes) {
  const auto make = [](std::vector<NodeGroup> groups, std::uint32_t per_cabinet) {
    return Topology(groups, per_cabinet);
  };
  EXPECT_THROW(make({}, 16), Error);
  EXPECT_THROW(make({{2, 0}}, 16), Error);
  EXPECT_THROW(make({{2, 33}}, 16), Error);
  EXPECT_THROW(make({{2, 4}}, 0), Error);
  EXPECT_EQ(make({{1, 32}}, 1).full(NodeId(0)), ~GpuMask{0});
}

TEST(LocalityPenalty, IsTheFactorOfTheLevel) {
  const LocalityPenalty penalty{1.0, 1.3, 1.7};
  EXPECT_EQ(penalty.at(Level::node), 1.0);
  EXPECT_EQ(penalty.at(Level::cabinet), 1.3);
  EXPECT_EQ(penalty.at(Level::cluster), 1.7);
}

TEST(GpuMask, LowestTakesTheFirstBits) {
  EXPECT_EQ(lowest(0b101101, 2), 0b101U);
  EXPECT_EQ(lowest(0b101101, 9), 0b101101U);
  EXPECT_EQ(lowest(0b1, 0), 0U);
}

}  // namespace
}  // namespace palstudy
