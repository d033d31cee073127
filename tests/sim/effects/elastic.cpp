// SPDX-License-Identifier: MIT
// Speeds of elastic jobs in a run (sim/effects/elastic.cpp).
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "sim/expect_runs.hpp"
#include "sim/linear_jobs.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// A job of 2 epochs of 10 iterations, with twice its initial batch. In the first epoch noise is small, and two samples
/// do the work of one; in the second each does its own.
SmallWorld two_epochs() {
  SmallWorld world;
  world.gpus_per_node = 2;
  world.engine.round_s = 100;
  world.add(0, 1, 20);
  world.measure.last = 0;
  auto jobs = linear_jobs(1, {2, 10});
  jobs->batch = {64};
  jobs->models[0].noise.knots = {{0, 0}, {1, 1e30}};
  world.elastic = jobs;
  return world;
}

// An iteration of 64 samples takes 2 passes of 1 s. It makes the progress of one at the initial batch, then of two: 10
// iterations take 20 s, the next 10 s. The epoch ends between boundaries, whether these are visited or not.
TEST(ElasticSpeeds, ChangeWhenAnEpochEnds) {
  SmallWorld world = two_epochs();
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, std::vector<double>({30}));
  world.engine.round_s = 1;
  EXPECT_EQ(world.run().jobs.finish_s, std::vector<double>({30}));
}

// A start costs what the model says, or the study.
TEST(ElasticSpeeds, AStartCostsARestart) {
  SmallWorld world = two_epochs();
  auto jobs = std::make_shared<ElasticJobs>(*world.elastic);
  jobs->models[0].restart_s = 5;
  world.elastic = jobs;
  EXPECT_EQ(world.run().jobs.finish_s, std::vector<double>({35}));
  jobs->restart_s = 0;
  EXPECT_EQ(world.run().jobs.finish_s, std::vector<double>({30}));
}

// The job chooses its batch: 32 samples, as long as noise is small; then the most that it may have, 3,200, of which
// each does its own work, so that it is as fast as with any other.
TEST(ElasticSpeeds, AJobChoosesItsBatchAnewInEveryEpoch) {
  SmallWorld world = two_epochs();
  auto jobs = std::make_shared<ElasticJobs>(*world.elastic);
  jobs->elasticity = Elasticity::counts_and_batch;
  world.elastic = jobs;
  EXPECT_NEAR(world.run().jobs.finish_s[0], 20, 1e-9);
}

// Two GPUs on two nodes, one of them 1.5 times as slow, penalty 2. Computing takes 0.5 s of an iteration, exchange
// 0.25 s: whole, (0.5 + 0.25) x 1.5 x 2; split, 0.5 x 1.5 + 0.25 x 2.
TEST(ElasticSpeeds, SlownessStretchesAllOrItsPart) {
  SmallWorld world;
  world.nodes = 2;
  world.gpus_per_node = 1;
  world.slowdown_values = {1, 1.5};
  world.penalty = {1, 2, 2};
  world.add(0, 2, 100);
  world.measure.last = 0;
  auto jobs = linear_jobs(1);
  jobs->models[0].types[0].step.alpha_n = 0.25;
  world.elastic = jobs;
  EXPECT_DOUBLE_EQ(world.run().jobs.finish_s[0], 100 * 0.75 * 3);
  jobs->slow = SlowKind::split;
  EXPECT_DOUBLE_EQ(world.run().jobs.finish_s[0], 100 * (0.5 * 1.5 + 0.25 * 2));
}

}  // namespace
}  // namespace palstudy
