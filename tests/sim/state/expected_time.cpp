// SPDX-License-Identifier: MIT
// For how long jobs are expected to run, by hand: two nodes of four GPUs of one cabinet, the first of slowdown 1 and
// the second of 2, so that the mean is 1.5. A spread over nodes costs 1.3, over cabinets 1.7.
#include "sim/state/expected_time.hpp"

#include <gtest/gtest.h>

#include "sim/partition_parts.hpp"

namespace palstudy {
namespace {

/// Jobs of 4 GPUs and of 6, which ask for 100 s and do so, and a third that asks for 200 s.
SmallWorld fast_and_slow_node(EstimateInflation inflation) {
  SmallWorld world;
  world.nodes = 2;
  world.slowdown_values = {1, 1, 1, 1, 2, 2, 2, 2};
  world.bins.bins = 2;
  world.penalty = {1, 1.3, 1.7};
  world.engine.inflation = inflation;
  for (const std::uint32_t gpus : {4U, 6U, 4U}) world.add(0, gpus, 100);
  world.jobs[2].estimate_s = 200;
  world.measure.last = 2;
  return world;
}

// What was held before a job was stopped is taken off. GPUs do not matter.
TEST(ExpectedTime, IsWhatTheUserAsksFor) {
  with_parts(fast_and_slow_node(EstimateInflation::none), [](PartitionParts& parts) {
    parts.arrive(3, 0);
    const ExpectedTime expected(parts.state);
    EXPECT_FALSE(expected.by_gpus());
    EXPECT_EQ(expected.left_s(JobId(0)), 100);
    EXPECT_EQ(expected.left_s(JobId(1)), 100);
    EXPECT_EQ(expected.left_s(JobId(2)), 200);
    EXPECT_EQ(expected.left_s(JobId(2), {{NodeId(1), 0b1111}}), 200);
    parts.state.table.course(JobId(2)).attained_before_s = 150;
    EXPECT_EQ(expected.left_s(JobId(2)), 50);
    parts.place(1, 30);
    EXPECT_EQ(expected.end_s(parts.state.running.slot_of(JobId(0))), 130);
  });
}

// A job that fits in a node is expected in one; one that does not, over cabinets, the dearer of the two spreads.
TEST(ExpectedTime, IsInflatedByTheMeanOfTheClass) {
  with_parts(fast_and_slow_node(EstimateInflation::class_mean), [](PartitionParts& parts) {
    parts.arrive(3, 0);
    const ExpectedTime expected(parts.state);
    EXPECT_FALSE(expected.by_gpus());
    EXPECT_DOUBLE_EQ(expected.left_s(JobId(0)), 150);
    EXPECT_DOUBLE_EQ(expected.left_s(JobId(1)), 100 * 1.7 * 1.5);
    EXPECT_DOUBLE_EQ(expected.left_s(JobId(2)), 300);
    EXPECT_DOUBLE_EQ(expected.left_s(JobId(0), {{NodeId(1), 0b1111}}), 150);
  });
}

// Once it is known which GPUs a job gets, they count: the slowest of them, and how far apart they are.
TEST(ExpectedTime, IsInflatedByTheGpusOfAJob) {
  with_parts(fast_and_slow_node(EstimateInflation::placement), [](PartitionParts& parts) {
    parts.arrive(3, 0);
    const ExpectedTime expected(parts.state);
    EXPECT_TRUE(expected.by_gpus());
    EXPECT_DOUBLE_EQ(expected.left_s(JobId(0)), 150);
    EXPECT_DOUBLE_EQ(expected.left_s(JobId(0), {{NodeId(0), 0b1111}}), 100);
    EXPECT_DOUBLE_EQ(expected.left_s(JobId(0), {{NodeId(1), 0b1111}}), 200);
    EXPECT_DOUBLE_EQ(expected.left_s(JobId(0), {{NodeId(0), 0b0111}, {NodeId(1), 0b0001}}), 260);
  });
}

// A job that should have ended is expected for a minute more, or up to the next boundary where jobs start at these.
TEST(ExpectedTime, IsExtendedByAMinuteOrToTheNextBoundary) {
  SmallWorld world = fast_and_slow_node(EstimateInflation::none);
  with_parts(world, [](PartitionParts& parts) {
    const ExpectedTime expected(parts.state);
    EXPECT_EQ(expected.extended_s(10.5), 360);
    EXPECT_EQ(expected.extended_s(360), 720);
  });
  world.engine.start = Start::event;
  with_parts(world, [](PartitionParts& parts) { EXPECT_EQ(ExpectedTime(parts.state).extended_s(10.5), 70.5); });
}

}  // namespace
}  // namespace palstudy
