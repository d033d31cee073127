// SPDX-License-Identifier: MIT
// What the engine does for the paper's runs, in counts that repeat exactly on every machine: a change that looks at
// more boundaries, asks for more placements or moves more in the index shows here and not on a clock. Lower is better;
// a number may be changed with the reason in the commit.
#include <gtest/gtest.h>

#include "published.hpp"

namespace palstudy {
namespace {

struct Row {
  int trace;
  const char *order, *placement;
  std::uint64_t boundaries, placements, index_queries, index_moves;
};

// The table of docs/evidence/performance.md. In the run of trace 1 under PAL 629 boundaries pass, of which 263 are
// looked at, and at some of them the same jobs lead the queue as before. A sticky policy asks once a launch, and once
// more for each time that a job does not fit.
TEST(Counts, AreThoseOfTheTable) {
  for (const Row& row :
       {Row{1, "fifo", "pal", 263, 1043, 1043, 6167}, Row{4, "fifo", "pal", 228, 913, 913, 5478},
        Row{1, "fifo", "pm-first", 264, 1028, 1028, 2869}, Row{1, "fifo", "packed-sticky", 503, 437, 1700, 1213},
        Row{4, "las", "pal", 822, 3318, 3321, 17448}, Row{4, "srtf", "pal", 257, 1303, 1303, 7673}}) {
    SCOPED_TRACE(std::string(row.order) + ", " + row.placement + ", trace " + std::to_string(row.trace));
    const EngineCounts counts = Published(row.trace).run(row.order, row.placement, 1).counts;
    EXPECT_EQ(counts.boundaries, row.boundaries);
    EXPECT_EQ(counts.placements, row.placements);
    EXPECT_EQ(counts.index_queries, row.index_queries);
    EXPECT_EQ(counts.index_moves, row.index_moves);
  }
}

}  // namespace
}  // namespace palstudy
