// SPDX-License-Identifier: MIT
#include "sim/scheduler/sia/sia_scheduler.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "sim/linear_jobs.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Jobs on one node of 4 GPUs, decided about every 10 s.
SmallWorld one_node(std::size_t jobs) {
  SmallWorld world;
  world.engine.round_s = 10;
  for (std::size_t i = 0; i < jobs; ++i) world.add(0, 1, 100);
  world.measure.last = static_cast<std::int64_t>(jobs) - 1;
  world.elastic = linear_jobs(jobs);
  world.scheduler = [](const SchedulerContext& context) {
    return std::make_unique<SiaScheduler>(context, SiaOptions{});
  };
  return world;
}

// n GPUs are n times as fast. A job alone may have 1 GPU first, then twice as many at each boundary, if these are not
// held back by restarts, which cost nothing: 10 iterations in 10 s, 20 in the next, the other 70 on 4 GPUs in 17.5 s.
TEST(SiaScheduler, AJobDoublesItsGpusAtEachBoundary) { EXPECT_DOUBLE_EQ(one_node(1).run().jobs.finish_s[0], 37.5); }

// Two jobs share the 4 GPUs evenly: -0.5 of goodputs makes two pairs better than three and one. 10 iterations on one
// GPU each, the other 90 on two in 45 s.
TEST(SiaScheduler, JobsShareEvenly) { EXPECT_EQ(one_node(2).run().jobs.finish_s, std::vector<double>({55, 55})); }

// Jobs that cannot change have what they ask for. Three of 2 GPUs: two run, and then the third.
TEST(SiaScheduler, JobsThatCannotChangeHaveTheirGpus) {
  SmallWorld world = one_node(3);
  for (Job& job : world.jobs) job.gpus = 2;
  auto jobs = linear_jobs(3);
  jobs->elasticity = Elasticity::none;
  world.elastic = jobs;
  EXPECT_EQ(world.run().jobs.finish_s, std::vector<double>({50, 50, 100}));
}

// Of two types, each on a node of its own, the job takes the one that is four times as fast.
TEST(SiaScheduler, AJobTakesTheFasterType) {
  SmallWorld world = one_node(1);
  world.nodes = 2;
  auto jobs = linear_jobs(1);
  jobs->type_of_node = {0, 1};
  jobs->models[0].types.push_back(jobs->models[0].types[0]);
  jobs->models[0].types[1].step.beta_c /= 4;
  world.elastic = jobs;
  const RunResult result = world.run();
  // 40 iterations in 10 s on one GPU of it, the other 60 on two in 7.5 s.
  EXPECT_DOUBLE_EQ(result.jobs.finish_s[0], 17.5);
}

}  // namespace
}  // namespace palstudy
