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

}  // namespace
}  // namespace palstudy
