// SPDX-License-Identifier: MIT
// Jobs that are killed when they outlive their expected end, by hand: four GPUs that take twice the time.
#include <gtest/gtest.h>

#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// A job of so many seconds on two of the GPUs, of which its user says that it takes 150 s; rounds of 100 s.
SmallWorld expected_for_150_s(double seconds) {
  SmallWorld world;
  world.slowdown_values.assign(4, 2.0);
  world.engine.round_s = 100;
  world.engine.kills_overruns = true;
  world.add(0, 2, seconds);
  world.jobs[0].estimate_s = 150;
  world.measure.last = 0;
  return world;
}

void expect_killed(const RunResult& result, double end_s) {
  EXPECT_EQ(result.jobs.finish_s[0], end_s);
  EXPECT_EQ(result.jobs.exec_s[0], end_s);
  EXPECT_EQ(result.jobs.status[0], JobStatus::killed);
  EXPECT_EQ(result.metric(Metric::jobs_overrun_killed), 1);
  EXPECT_DOUBLE_EQ(result.metric(Metric::effective_fraction), 0.25) << "half of the work on half of the GPUs";
}

// Killed at 150 s it has done the work of 75 s, and that alone counts. Where completions are counted at boundaries it
// is killed at that of 200 s, with 100 s done.
TEST(Overruns, OfAKilledJobTheWorkThatItDidCounts) {
  SmallWorld world = expected_for_150_s(150);
  expect_killed(world.run(), 150);
  world.engine.start = Start::event;
  expect_killed(world.run(), 150);
  world.engine.start = Start::round;
  world.engine.completion = Completion::round;
  expect_killed(world.run(), 200);
}

// A job that is done at the very moment of its expected end has not outlived it.
TEST(Overruns, AJobThatIsDoneInTimeIsNotKilled) {
  for (const Start start : {Start::round, Start::event}) {
    SmallWorld world = expected_for_150_s(75);
    world.engine.start = start;
    const RunResult result = world.run();
    EXPECT_EQ(result.jobs.finish_s[0], 150);
    EXPECT_EQ(result.jobs.status[0], JobStatus::none);
    EXPECT_EQ(result.metric(Metric::jobs_overrun_killed), 0);
    EXPECT_DOUBLE_EQ(result.metric(Metric::effective_fraction), 0.25);
  }
}

// Job 1 runs on the slow node, and is expected to take 150 s there. At 100 s the fast node becomes free, it moves, and
// on those GPUs it should have been over at 50 s: it has until the next boundary, and holds the GPUs until then. Before
// it is killed it has done the work of 33 + 100 s of 200.
TEST(Overruns, AJobThatMovesIsNotKilledAtTheSameInstant) {
  SmallWorld world;
  world.nodes = 2;
  world.slowdown_values = {1, 1, 1, 1, 3, 3, 3, 3};
  world.placement = "pal-sticky";
  world.engine.round_s = 100;
  world.engine.inflation = EstimateInflation::placement;
  world.engine.kills_overruns = true;
  world.add(0, 4, 100);
  world.add(0, 4, 200);
  world.jobs[1].estimate_s = 50;
  world.measure.last = 1;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s[1], 200);
  EXPECT_EQ(result.jobs.status[1], JobStatus::killed);
  EXPECT_EQ(result.events.time_s, (std::vector<double>{0, 0, 100, 100, 200}));
  EXPECT_EQ(result.events.kind, (std::vector<EventKind>{EventKind::launch, EventKind::launch, EventKind::finish,
                                                        EventKind::launch, EventKind::finish}));
}

}  // namespace
}  // namespace palstudy
