// SPDX-License-Identifier: MIT
#include "cluster/free_count_index.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// Counted by hand for two nodes of 4 GPUs. Of one bin: 8 bytes of masks, 4 words of bitmaps (a set of nodes for each
// count 1..4), of 16 trees a word of counts, a total and a first slot, one word of lanes. Of two bins with their up-to
// tree: 11 words of bitmaps (an up-to tree has no set for 1), and a row of lanes a node. A saved copy holds masks,
// bitmaps, counts and totals once more; one block of 16 cabinets, of two bins, has 8 words of counts, one of marks and
// two maxima.
TEST(FreeCountIndex, SaysWhatMemoryItTakes) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 16);
  constexpr std::size_t of_trees = 16 * (8 + 4), outside = 16 * 4 + 8, state = 8 + 11 * 8 + of_trees;
  EXPECT_EQ(FreeCountIndex(topology).bytes(), sizeof(FreeCountIndex) + 8 + 4 * 8 + of_trees + outside);
  FreeCountIndex index(topology, {{0.9, 1.1}, {0, 0, 1, 1, 0, 1, 1, 1}, {0, 1}}, true);
  std::size_t bytes = sizeof(FreeCountIndex) + state + outside + 2 * 8;
  EXPECT_EQ(index.bytes(), bytes);
  index.save();
  bytes += state;
  EXPECT_EQ(index.bytes(), bytes);
  index.count_cabinets(topology);
  bytes += 8 * (8 + 1) + 2 * 4;
  EXPECT_EQ(index.bytes(), bytes);
}

// Only what was saved can be gone back to.
TEST(FreeCountIndex, GoesBackToWhatWasSaved) {
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 16);
  FreeCountIndex index(topology);
  EXPECT_FALSE(index.restore());
  NodeMasks free(2, 4);
  free.set(1, 0b0111);
  index.sync_all(free);
  index.save();
  free.set(0, 0b1111);
  index.sync_all(free);
  EXPECT_EQ(index.total(0, false), 7u);
  EXPECT_TRUE(index.restore());
  EXPECT_EQ(index.total(0, false), 3u);
  EXPECT_EQ(index.exactly(0, false, 3, 0), 1u);
  EXPECT_EQ(index.exactly(0, false, 4, 0), NodeBitmaps::none);
}

}  // namespace
}  // namespace palstudy
