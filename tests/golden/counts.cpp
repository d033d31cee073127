// SPDX-License-Identifier: MIT
// What the engine does for the paper's runs, in counts that repeat exactly on every machine: a change that looks at
// more boundaries, asks for more placements or moves more in the index shows here and not on a clock. Lower is better;
// a number may be changed with the reason in the commit.
#include <gtest/gtest.h>

#include "published.hpp"

namespace palstudy {
namespace {

// 629 boundaries pass in the run of trace 1 under PAL; 263 are looked at, and at some of them the same jobs lead the
// queue as before.
TEST(Counts, FifoLooksOnlyWhereSomethingArrivesOrEnds) {
  const EngineCounts counts = Published(1).run("fifo", "pal", 1).counts;
  EXPECT_EQ(counts.boundaries, 263U);
  EXPECT_EQ(counts.placements, 1043U);
  EXPECT_LE(counts.index_queries, 40000U);
  EXPECT_LE(counts.index_moves, 20000U);
}

// A sticky policy asks once a launch, and once more for each time that a job does not fit.
TEST(Counts, PackedStickyAsksOncePerLaunch) {
  const EngineCounts counts = Published(1).run("fifo", "packed-sticky", 1).counts;
  EXPECT_EQ(counts.boundaries, 503U);
  EXPECT_EQ(counts.placements, 437U);
}

}  // namespace
}  // namespace palstudy
