// SPDX-License-Identifier: MIT
// The dispatcher alone: what launches, moves, stops and ends do to jobs, queue and running set.
#include "sim/engine/dispatcher.hpp"

#include <gtest/gtest.h>

#include "sim/partition_parts.hpp"

namespace palstudy {
namespace {

/// A node of four GPUs and jobs of 2 and 4 GPUs that last 1000 s and 100 s.
SmallWorld busy_node() {
  SmallWorld world;
  world.add(0, 2, 1000);
  world.add(0, 4, 100);
  world.measure.last = 1;
  return world;
}

TEST(Dispatcher, LaunchesWhatWasPlaced) {
  with_parts(busy_node(), [](PartitionParts& parts) {
    parts.launch(2, 0);
    EXPECT_TRUE(parts.runs(0));
    EXPECT_FALSE(parts.runs(1)) << "two GPUs are free, it wants four";
    EXPECT_EQ(parts.state.queue.waiting(), std::vector<JobId>({JobId(1)}));
    EXPECT_EQ(parts.state.demand_gpus(), 6U);
    EXPECT_EQ(parts.state.running.finish.earliest(), 1000.0);
  });
}

// Stopped after 360 of 1000 s it waits again, with 360 s done, and job 1 has the node; when that ends at 460 s all is
// free.
TEST(Dispatcher, StopsWhatWasReleasedAndEndsWhatIsDue) {
  with_parts(busy_node(), [](PartitionParts& parts) {
    parts.launch(2, 0);
    parts.dispatcher.instant(360);
    parts.dispatcher.complete(360);
    parts.transaction.begin(360);
    parts.transaction.release(JobId(0), StopReason::order);
    ASSERT_TRUE(parts.transaction.place(JobId(1)));
    parts.dispatcher.commit(360, parts.transaction);
    EXPECT_TRUE(parts.state.table.waiting(JobId(0)));
    EXPECT_EQ(parts.state.table.course[0].work_done, 360.0);
    EXPECT_EQ(parts.state.table.attained_s(JobId(0), 400), 360.0);
    EXPECT_TRUE(parts.runs(1));
    EXPECT_EQ(parts.state.running.finish.earliest(), 460.0);
    parts.dispatcher.instant(720);
    parts.dispatcher.complete(720);
    EXPECT_EQ(parts.state.table.state[1], JobState::finished);
    EXPECT_EQ(parts.state.free.total(), 4U);
    EXPECT_EQ(parts.rows.records[1].finish_s, 460.0);
    EXPECT_EQ(parts.rows.records[0].sums.preemptions, 1U);
  });
}

}  // namespace
}  // namespace palstudy
