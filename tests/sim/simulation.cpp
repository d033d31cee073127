// SPDX-License-Identifier: MIT
// Runs small enough to be worked out by hand. Rounds are 10 s, nodes have 4 GPUs, jobs run at one second an iteration.
#include "sim/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

SmallWorld tens() {
  SmallWorld world;
  world.engine.round_s = 10;
  world.measure.last = 1000;
  return world;
}

// Arrives at 3, starts at the boundary 10, needs 25 s: finishes at 35, or at the boundary 40 as published.
TEST(Simulation, CompletionIsExactOrAtTheBoundary) {
  SmallWorld world = tens();
  world.add(3, 1, 25);
  EXPECT_EQ(world.run().jobs.finish_s[0], 35);
  world.engine.completion = Completion::round;
  EXPECT_EQ(world.run().jobs.finish_s[0], 40);
}

// Two jobs of 4 GPUs on 4: the second waits for the boundary after the first, or starts the moment that the first ends.
TEST(Simulation, GpusAreFreeFromTheBoundaryOnOrAtOnce) {
  SmallWorld world = tens();
  world.add(3, 4, 25);
  world.add(4, 4, 5);
  auto result = world.run();  // 10..35, then 40..45
  EXPECT_EQ(result.jobs.start_s[1], 40);
  EXPECT_EQ(result.jobs.finish_s[1], 45);
  world.engine.start = Start::event;
  result = world.run();  // 3..28, then 28..33
  EXPECT_EQ(result.jobs.start_s[0], 3);
  EXPECT_EQ(result.jobs.start_s[1], 28);
  EXPECT_EQ(result.metric(Metric::makespan_s), 33);
}

// Four jobs of one GPU, of classes B, A, B, A; both classes find GPU 0 fastest and GPU 3 slowest. Class by class and by
// arrival within a class, jobs 1, 3, 0, 2 choose in this order; packed placements go by arrival alone.
TEST(Simulation, SomePoliciesPlaceClassByClass) {
  SmallWorld world = tens();
  world.classes = {"A", "B"};
  world.slowdown_values = {1, 2, 3, 4, 1, 2, 3, 4};
  for (const std::uint32_t cls : {1u, 0u, 1u, 0u}) world.add(0, 1, 25, cls);
  const auto first_gpus = [&](const char* placement) {
    world.placement = placement;
    const RunResult result = world.run();
    return std::vector<std::uint32_t>(result.events.gpus.begin(), result.events.gpus.begin() + 4);
  };
  for (const char* placement : {"pal", "pm-first", "pal-levels"}) {
    EXPECT_EQ(first_gpus(placement), (std::vector<std::uint32_t>{2, 0, 3, 1})) << placement;
  }
  EXPECT_EQ(first_gpus("packed-nonsticky"), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

// 3 of 4 GPUs are taken until 110; the head wants 2, the next 1. As published the walk ends at the head; greedy goes
// on.
TEST(Simulation, BackfillGreedyPassesAJobThatDoesNotFit) {
  SmallWorld world = tens();
  world.add(0, 3, 110);
  world.add(0, 2, 10);
  world.add(0, 1, 10);
  EXPECT_EQ(world.run().jobs.start_s[2], 110);
  world.engine.backfill = Backfill::greedy;
  const auto result = world.run();
  EXPECT_EQ(result.jobs.start_s[2], 0);
  EXPECT_EQ(result.jobs.start_s[1], 110);
  EXPECT_EQ(result.metric(Metric::preemptions), 0);
}

// LAS: the newcomer has run for 0 s and stops the other, which has run for 30.
TEST(Simulation, LasStopsTheJobThatHasRunLonger) {
  SmallWorld world = tens();
  world.order = "las";
  world.add(0, 4, 100);
  world.add(25, 4, 20);
  const auto result = world.run();
  EXPECT_EQ(result.jobs.start_s[1], 30);
  EXPECT_EQ(result.jobs.preemptions[0], 1U);
  // 30..50 the second runs; it ends at 50 with 20 s; the first goes on from 30 s: 50..120.
  EXPECT_EQ(result.jobs.finish_s[1], 50);
  EXPECT_EQ(result.jobs.finish_s[0], 120);
  EXPECT_EQ(result.jobs.exec_s[0], 100);
}

// Node 0 is held by a job that comes first, so the newcomer of 6 GPUs (8 in all, 4 free at most) never fits while it
// runs; the 4-GPU job behind it is stopped in vain. "return": it runs on. "stay-stopped": it has lost its round.
TEST(Simulation, VictimsOfAJobThatStillDoesNotFitReturnOrStayStopped) {
  SmallWorld world = tens();
  world.nodes = 2;
  world.order = "srtf";
  world.add(0, 4, 100);
  world.add(0, 4, 300);
  world.add(15, 6, 150);
  const auto returned = world.run();
  EXPECT_EQ(returned.jobs.preemptions[1], 1U);  // stopped once, at 100, when it helps
  world.engine.sticky_victims = StickyVictims::stay_stopped;
  const auto stopped = world.run();
  EXPECT_EQ(stopped.jobs.preemptions[1], 1U);
  const auto stop_time = [](const RunResult& result) {
    for (std::size_t i = 0; i < result.events.size(); ++i) {
      if (result.events.kind[i] == EventKind::stop) return result.events.time_s[i];
    }
    return -1.0;
  };
  EXPECT_EQ(stop_time(returned), 100);
  EXPECT_EQ(stop_time(stopped), 20);
}

// Jobs of one GPU keep slipping past the job that wants all four. It waits from 0 on; at 50 it has waited 50 s, goes
// first, and those that run are stopped for it.
TEST(Simulation, AStarvedJobGoesFirst) {
  SmallWorld world = tens();
  world.engine.backfill = Backfill::greedy;
  world.add(0, 1, 30);
  world.add(0, 4, 10);
  for (int i = 1; i < 20; ++i) world.add(10.0 * i, 1, 30);
  EXPECT_GT(world.run().jobs.start_s[1], 190);
  world.engine.starvation_s = 50;
  const auto result = world.run();
  EXPECT_EQ(result.jobs.start_s[1], 50);
  EXPECT_EQ(result.jobs.finish_s[1], 60);
  EXPECT_EQ(result.metric(Metric::preemptions), 2);  // the jobs of 30 and 40; that of 20 ends at 50
}

// Class-blind: 100 s on GPUs of slowdown 1 and 2 is 200 s, on one node. Over two nodes of 1 GPU the penalty 1.7 comes
// on top: 340 s.
TEST(Simulation, TheRateIsThatOfTheSlowestGpuTimesThePenalty) {
  SmallWorld world = tens();
  world.nodes = 1;
  world.gpus_per_node = 2;
  world.slowdown_values = {1.0, 2.0};
  world.add(0, 2, 100);
  EXPECT_EQ(world.run().jobs.finish_s[0], 200);
  world.nodes = 2;
  world.gpus_per_node = 1;
  EXPECT_EQ(world.run().jobs.finish_s[0], 340);
  EXPECT_EQ(world.run().jobs.penalty_mean[0], 1.7);
}

// The stopped job of LasStopsTheJobThatHasRunLonger restarts at 50 with 70 s to go and pays 7 s: 127.
TEST(Simulation, ARestartCostsMigrationSeconds) {
  SmallWorld world = tens();
  world.order = "las";
  world.engine.migration_s = 7;
  world.add(0, 4, 100);
  world.add(25, 4, 20);
  EXPECT_EQ(world.run().jobs.finish_s[0], 127);
}

// Given up at 20: the job of 100 s is counted, not dropped; its makespan is not a number.
TEST(Simulation, WhatHasNotFinishedAtTheEndIsCounted) {
  SmallWorld world = tens();
  world.measure.end_s = 15;
  world.add(0, 1, 5);
  world.add(0, 1, 100);
  const auto result = world.run();
  EXPECT_EQ(result.metric(Metric::jobs_unfinished), 1);
  EXPECT_EQ(result.metric(Metric::jct_mean_s), 5);
  EXPECT_TRUE(std::isnan(result.metric(Metric::makespan_s)));
  EXPECT_TRUE(std::isnan(result.jobs.finish_s[1]));
  EXPECT_EQ(result.jobs.exec_s[1], 20);
}

// The run has ended before the second job comes: no column has a row of it, and it counts as unfinished.
TEST(Simulation, WhatNeverArrivesHasNoRow) {
  SmallWorld world = tens();
  world.measure.end_s = 15;
  world.add(0, 1, 100);
  world.add(500, 1, 5);
  const auto result = world.run();
  EXPECT_EQ(result.jobs.size(), 1U);
  EXPECT_EQ(result.jobs.partition.size(), 1U);
  EXPECT_EQ(result.jobs.finished.size(), 1U);
  EXPECT_EQ(result.metric(Metric::jobs_unfinished), 2);
  world.power.emplace().off = "timer";
  const auto powered = world.run();
  EXPECT_EQ(powered.power_wait_s, std::vector<double>{0});
  EXPECT_EQ(powered.metric(Metric::jobs_unfinished), 2);
}

// Only the job that arrives in [10, 20) is measured; the run ends with it.
TEST(Simulation, AWindowMeasuresTheJobsThatArriveInIt) {
  SmallWorld world = tens();
  world.measure.by_window = true;
  world.measure.warmup_s = 10;
  world.measure.window_s = 10;
  world.add(0, 1, 1000);
  world.add(10, 1, 30);
  world.add(20, 1, 30);
  const auto result = world.run();
  EXPECT_EQ(result.metric(Metric::jct_mean_s), 30);
  EXPECT_EQ(result.metric(Metric::makespan_s), 40);
  EXPECT_EQ(result.jobs.measured, (std::vector<std::uint8_t>{0, 1, 0}));
}

// One GPU of 4 for 25 s from 0, makespan 25: 1/4 of the GPUs, though the last boundary looked at is 30.
TEST(Simulation, FractionsAreOfTheTimeUpToTheMakespan) {
  SmallWorld world = tens();
  world.measure.last = 0;
  world.add(0, 1, 25);
  world.add(0, 1, 500);  // not measured; held for 25 s of the makespan as well
  const auto result = world.run();
  EXPECT_DOUBLE_EQ(result.metric(Metric::alloc_fraction), 0.5);
  EXPECT_DOUBLE_EQ(result.metric(Metric::busy_fraction), 0.25);
  EXPECT_DOUBLE_EQ(result.metric(Metric::effective_fraction), 0.5);
}

TEST(Simulation, RefusesAJobWiderThanTheCluster) {
  SmallWorld world = tens();
  world.add(0, 5, 1);
  EXPECT_THROW((void)world.run(), Error);
}

TEST(Simulation, RefusesAnEmptyMeasuredSet) {
  SmallWorld world = tens();
  world.measure.first = 7;
  world.add(0, 1, 1);
  EXPECT_THROW((void)world.run(), Error);
}

// The same of a run that is over within a second: one GPU of 4 up to the makespan of half a second.
TEST(Simulation, FractionsOfLessThanASecondAreOfTheMakespanToo) {
  SmallWorld world = tens();
  world.add(0, 1, 0.5);
  EXPECT_DOUBLE_EQ(world.run().metric(Metric::alloc_fraction), 0.25);
}

}  // namespace
}  // namespace palstudy
