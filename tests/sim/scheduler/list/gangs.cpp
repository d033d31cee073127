// SPDX-License-Identifier: MIT
// Gangs that are acquired piece by piece, worked out by hand: one node of 4 GPUs, rounds of 100 s.
#include <gtest/gtest.h>

#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

SmallWorld one_node(double timeout_s, double backoff_s) {
  SmallWorld world;
  world.engine.round_s = 100;
  world.engine.backfill = Backfill::greedy;
  world.tenants.emplace();
  world.tenants->quota = {100};
  world.tenants->gang_timeout_s = timeout_s;
  world.tenants->gang_backoff_s = backoff_s;
  return world;
}

// Until 500 two GPUs are in use. Job 1 wants 4: at 100 it takes the other two, so that job 2, which wants 2, finds
// none. 150 s after 100 is 250, the next boundary 300: there it gives them back, and job 2 starts, until 600. Job 1
// backs off for 120 s, to 420, so it is tried again at 500: two are free, which it holds until 600, when all are.
TEST(Gangs, HoldAPartForAWhileThenBackOff) {
  SmallWorld world = one_node(150, 120);
  world.add(0, 2, 500);
  world.add(100, 4, 100);
  world.add(100, 2, 300);
  world.measure.last = 2;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 600, 300}));
  EXPECT_EQ(result.delays.of(DelayCause::gang)[1], 500);
  EXPECT_EQ(result.delays.of(DelayCause::fragmentation)[2], 200);
  // Held idle: 2 GPUs from 100 to 300 and from 500 to 600. Allocated, but busy with nothing: 2 x 500 + 4 x 100 +
  // 2 x 300 = 2000 GPU-seconds of the 4 x 700 until the last finish.
  EXPECT_EQ(result.metric(Metric::makespan_s), 700);
  EXPECT_DOUBLE_EQ(result.metric(Metric::busy_fraction), 2000.0 / 2800);
  EXPECT_DOUBLE_EQ(result.metric(Metric::alloc_fraction), 2600.0 / 2800);
  EXPECT_EQ(result.node_busy_s, std::vector<double>{2600});
}

// Without gangs job 2 passes job 1 at once.
TEST(Gangs, NobodyHoldsPartsUnlessAsked) {
  SmallWorld world = one_node(0, 0);
  world.add(0, 2, 500);
  world.add(100, 4, 100);
  world.add(100, 2, 300);
  world.measure.last = 2;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 500, 100}));
  EXPECT_EQ(result.metric(Metric::alloc_fraction), result.metric(Metric::busy_fraction));
}

// What is taken grows: 1 GPU at 100, another when job 1 ends at 200, the rest at 300, before the time is over.
TEST(Gangs, APartGrowsUntilItIsAll) {
  SmallWorld world = one_node(1000, 1000);
  world.add(0, 2, 300);
  world.add(0, 1, 200);
  world.add(100, 4, 100);
  world.add(200, 1, 50);
  world.measure.last = 3;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, 300, 400}));
  EXPECT_EQ(result.delays.of(DelayCause::gang)[2], 200);
}

// Two nodes of 4, and jobs that have to be on the fewest nodes. At 300 the second node has two free GPUs and the two
// that job 3 holds since 100, the first has two free. Job 4, of the tenant with the smaller share, is served first and
// fits nowhere, though four are free; job 3 gives back what it holds and fits, whatever was found for job 4.
TEST(Gangs, WhatDidNotFitBeforeAPartWasGivenBackMayFitThen) {
  SmallWorld world = one_node(1000, 1000);
  world.nodes = 2;
  world.tenant_names = {"a", "b"};
  world.tenants->quota = {100, 100};
  world.tenants->ladder_attempts = 100;
  world.add(0, 2, 1000);
  world.add(0, 2, 300);
  world.add(0, 2, 300);
  world.add(100, 4, 100);
  world.add(300, 3, 100);
  world.jobs.back().tenant = 1;
  world.measure.last = 4;
  EXPECT_EQ(world.run().jobs.start_s, (std::vector<double>{0, 0, 0, 300, 400}));
}

// Who could only borrow holds nothing: with a quota of 4, of which 2 are in use, job 2 passes job 1 again.
TEST(Gangs, WhoWouldBorrowHoldsNoPart) {
  SmallWorld world = one_node(150, 120);
  world.tenants->quota = {4};
  world.add(0, 2, 500);
  world.add(100, 4, 100);
  world.add(100, 2, 300);
  world.measure.last = 2;
  EXPECT_EQ(world.run().jobs.start_s, (std::vector<double>{0, 500, 100}));
}

// A part that is held when the run is given up has been allocated until then.
TEST(Gangs, APartAtTheEndOfTheRunCounts) {
  SmallWorld world = one_node(1000, 1000);
  world.add(0, 2, 5000);
  world.add(100, 4, 100);
  world.measure.last = 1;
  world.measure.end_s = 400;
  const RunResult result = world.run();
  EXPECT_EQ(result.node_busy_s, std::vector<double>{2 * 400 + 2 * 300});
  EXPECT_EQ(result.delays.of(DelayCause::gang)[1], 300);
}

// A part that is held beyond the last finish counts up to it alone. Job 0, the only measured one, ends exactly, at 350,
// and the run with it; job 1 holds two GPUs from 100 to the boundary at 400: 2 x 350 + 2 x 250 GPU-seconds of the 4 x
// 350 until the makespan.
TEST(Gangs, APartBeyondTheLastFinishDoesNotCount) {
  SmallWorld world = one_node(1000, 1000);
  world.add(0, 2, 350);
  world.add(100, 4, 1000);
  world.measure.last = 0;
  const RunResult result = world.run();
  EXPECT_EQ(result.metric(Metric::makespan_s), 350);
  EXPECT_DOUBLE_EQ(result.metric(Metric::alloc_fraction), (2 * 350 + 2 * 250) / (4 * 350.0));
}

}  // namespace
}  // namespace palstudy
