// SPDX-License-Identifier: MIT
#include "sim/scheduler/optimus/optimus_scheduler.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "sim/linear_jobs.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

// Two jobs of 100 iterations on one node of 4 GPUs, of which n are n times as fast: each gets one, and then another,
// which saves the most where there is only one. Both take 50 s.
TEST(OptimusScheduler, SharesGpusBetweenEqualJobs) {
  SmallWorld world;
  world.engine.round_s = 10;
  for (int i = 0; i < 2; ++i) world.add(0, 1, 100);
  world.measure.last = 1;
  world.elastic = linear_jobs(2, {10, 10});
  world.scheduler = [](const SchedulerContext& context) { return std::make_unique<OptimusScheduler>(context); };
  EXPECT_EQ(world.run().jobs.finish_s, std::vector<double>({50, 50}));
}

// The second comes at 10 s, when the first has done 40 iterations on 4 GPUs: both have 2. At 30 s the first has 20
// left, 10 of them after its epoch, and the second 60 and 50. A second GPU would save the first 5 s. A third, with 11
// samples of 33 a GPU, saves the second (16 - 11) / 32 x 50 s, which is more. At 50 s the first ends, and the second
// has 4.
TEST(OptimusScheduler, ANewJobTakesGpusFromOthers) {
  SmallWorld world;
  world.engine.round_s = 10;
  world.add(0, 1, 100);
  world.add(10, 1, 100);
  world.measure.last = 1;
  world.elastic = linear_jobs(2, {10, 10});
  world.scheduler = [](const SchedulerContext& context) { return std::make_unique<OptimusScheduler>(context); };
  EXPECT_EQ(world.run().jobs.finish_s, std::vector<double>({50, 50 + (60 - 20 / (11.0 / 32)) / 4}));
}

}  // namespace
}  // namespace palstudy
