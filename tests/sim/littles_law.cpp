// SPDX-License-Identifier: MIT
// Little's law as an identity: over a run that begins and ends empty, the area under the number of jobs in the system
// is the sum of the times that they spent there. The number comes from the rows of rounds, the times from the rows of
// jobs.
#include <gtest/gtest.h>

#include <string>

#include "sim/small_world.hpp"
#include "sim/state/progress.hpp"

namespace palstudy {
namespace {

SmallWorld busy(Start start, std::uint32_t partitions, const std::string& placement) {
  SmallWorld world;
  world.nodes = 8;
  world.engine.round_s = 60;
  world.engine.start = start;
  world.order = "las";
  world.placement = placement;
  world.partitions = partitions;
  world.measure.last = 1000;
  add_random_jobs(world, 11, 150, 20000, 3000);
  return world;
}

double instant(const SmallWorld& world, double time_s) {
  return world.engine.start == Start::event ? time_s : world.engine.rounds().start_s(time_s);
}

void expect_identity(const SmallWorld& world) {
  const RunResult result = world.run();
  double stays_s = 0, area = 0;
  for (std::size_t j = 0; j < result.jobs.size(); ++j) {
    ASSERT_NE(result.jobs.finished[j], 0);
    stays_s += instant(world, result.jobs.finish_s[j]) - instant(world, world.jobs[j].submit_s);
  }
  const RoundRows& rounds = result.rounds;
  for (std::size_t r = 0; r + 1 < rounds.size(); ++r) {
    area += (rounds.queued[r] + rounds.running[r]) * (rounds.time_s[r + 1] - rounds.time_s[r]);
  }
  ASSERT_GT(rounds.size(), 10u);
  EXPECT_EQ(rounds.queued[rounds.size() - 1] + rounds.running[rounds.size() - 1], 0u);
  EXPECT_NEAR(area, stays_s, 1e-9 * stays_s);
}

TEST(LittlesLaw, HoldsForEveryStart) {
  for (const Start start : {Start::round, Start::event}) {
    for (const char* placement : {"pal", "packed-sticky"}) expect_identity(busy(start, 1, placement));
  }
}

// Jobs wider than a partition and jobs that are moved between queues are in the system once.
TEST(LittlesLaw, HoldsAcrossPartitions) {
  for (const Start start : {Start::round, Start::event}) expect_identity(busy(start, 4, "packed-sticky"));
}

}  // namespace
}  // namespace palstudy
