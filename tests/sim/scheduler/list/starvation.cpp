// SPDX-License-Identifier: MIT
// From when a job that was stopped counts as waiting, where jobs starve.
#include <gtest/gtest.h>

#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Shortest remaining time first on four GPUs: job 1 arrives at 20 and stops job 0. A job that has waited for 50 s goes
/// first.
SmallWorld stopped_at_20() {
  SmallWorld world;
  world.engine.round_s = 10;
  world.engine.starvation_s = 50;
  world.order = "srtf";
  world.measure.last = 1000;
  world.add(0, 4, 1000);
  world.add(20, 4, 500);
  return world;
}

/// When `job` was given GPUs for the second time.
double second_launch_s(const RunResult& result, JobId job) {
  int launches = 0;
  for (std::size_t i = 0; i < result.events.size(); ++i) {
    const bool own = result.events.kind[i] == EventKind::launch && result.events.job[i] == job;
    if (own && ++launches == 2) return result.events.time_s[i];
  }
  return -1;
}

double stop_s(const RunResult& result, JobId job) {
  for (std::size_t i = 0; i < result.events.size(); ++i) {
    if (result.events.kind[i] == EventKind::stop && result.events.job[i] == job) return result.events.time_s[i];
  }
  return -1;
}

// The round in which a job is stopped does not count, as published: job 0 waits from 30 on, and has starved at 80. The
// same where every boundary is looked at, and under either rule of completion.
TEST(Starvation, TheRoundOfAStopDoesNotCount) {
  for (const bool every : {false, true}) {
    for (const Completion completion : {Completion::exact, Completion::round}) {
      SmallWorld world = stopped_at_20();
      world.engine.visit_every_boundary = every;
      world.engine.completion = completion;
      const RunResult result = world.run();
      EXPECT_EQ(stop_s(result, JobId(0)), 20);
      EXPECT_EQ(second_launch_s(result, JobId(0)), 80);
      EXPECT_EQ(stop_s(result, JobId(1)), 80);
    }
  }
}

// Where jobs start at events there are no rounds that a stop could lose: job 0 waits from 20 on, and has starved at 70.
TEST(Starvation, AStopAtAnEventCountsAtOnce) {
  SmallWorld world = stopped_at_20();
  world.engine.start = Start::event;
  const RunResult result = world.run();
  EXPECT_EQ(stop_s(result, JobId(0)), 20);
  EXPECT_EQ(second_launch_s(result, JobId(0)), 70);
}

// A job that was never stopped waits from its arrival on, without an extra round: job 1 arrives at 20 behind job 0,
// which is shorter and runs, and has starved at 70.
TEST(Starvation, AnArrivalCountsAtOnce) {
  SmallWorld world = stopped_at_20();
  world.jobs[0].iterations = 400;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s[1], 70);
}

}  // namespace
}  // namespace palstudy
