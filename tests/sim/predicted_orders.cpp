// SPDX-License-Identifier: MIT
// Orders by predicted GPU time in whole runs: hand-worked schedules and properties.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// One-second rounds, no penalty, nodes of 8 GPUs, all jobs measured.
SmallWorld second_world(std::uint32_t nodes, const std::string& order) {
  SmallWorld world;
  world.nodes = nodes;
  world.gpus_per_node = 8;
  world.penalty = {1, 1, 1};
  world.order = order;
  world.placement = "consolidate";
  world.predictor = "column";
  world.engine.round_s = 1;
  return world;
}

void add_predicted(SmallWorld& world, double submit_s, std::uint32_t gpus, double seconds, double predicted_s) {
  world.add(submit_s, gpus, seconds);
  world.jobs.back().predicted_s = predicted_s;
  world.measure.last = world.jobs.back().id;
}

using Times = std::vector<std::pair<double, double>>;  // start and end, by job
Times times_of(const SmallWorld& world) {
  const RunResult result = world.run();
  Times times(world.jobs.size());
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    times[result.jobs.job[i].index()] = {result.jobs.start_s[i], result.jobs.finish_s[i]};
  }
  return times;
}

// A(8,0,100) B(2,10,50) C(8,10,20), predicted 1, 1000, 10: keys of B 2000, of C 80.
TEST(PredictedOrders, ServeTheLeastGpuTimeFirst) {
  const auto run = [](const std::string& order) {
    SmallWorld world = second_world(1, order);
    add_predicted(world, 0, 8, 100, 1), add_predicted(world, 10, 2, 50, 1000), add_predicted(world, 10, 8, 20, 10);
    return times_of(world);
  };
  EXPECT_EQ(run("qssf"), (Times{{0, 100}, {120, 170}, {100, 120}}));
  EXPECT_EQ(run("fifo"), (Times{{0, 100}, {100, 150}, {150, 170}}));
  EXPECT_EQ(run("sjf"), (Times{{0, 100}, {120, 170}, {100, 120}}));
  EXPECT_EQ(run("fewest-gpus"), (Times{{0, 100}, {100, 150}, {150, 170}}));
}

// D(1,0,100) E(8,10,50) F(1,20,30): FIFO blocks F behind E; by GPU time E has 400 and F 30.
TEST(PredictedOrders, AvoidHeadOfLineBlocking) {
  const auto run = [](const std::string& order) {
    SmallWorld world = second_world(1, order);
    add_predicted(world, 0, 1, 100, 100), add_predicted(world, 10, 8, 50, 50), add_predicted(world, 20, 1, 30, 30);
    return times_of(world);
  };
  EXPECT_EQ(run("fifo"), (Times{{0, 100}, {100, 150}, {150, 180}}));
  EXPECT_EQ(run("qssf"), (Times{{0, 100}, {100, 150}, {20, 50}}));
}

// G(12,0,60) H(8,5,10) I(4,6,10) on two nodes: G has 8 on node 0 and 4 on node 1, so that I fits beside it and H does
// not.
TEST(PredictedOrders, LeaveJobsOnAsFewNodesAsCanBe) {
  const auto run = [](const std::string& order) {
    SmallWorld world = second_world(2, order);
    add_predicted(world, 0, 12, 60, 60), add_predicted(world, 5, 8, 10, 10), add_predicted(world, 6, 4, 10, 10);
    return times_of(world);
  };
  EXPECT_EQ(run("fifo"), (Times{{0, 60}, {60, 70}, {60, 70}}));
  EXPECT_EQ(run("qssf"), (Times{{0, 60}, {60, 70}, {6, 16}}));
}

// Jobs submitted at one time that find nobody waiting are served by their GPUs: 4 before 8, whatever is predicted. From
// the next second on predictions count.
TEST(PredictedOrders, ServeNewcomersByTheirGpus) {
  SmallWorld world = second_world(1, "qssf");
  add_predicted(world, 0, 8, 10, 1), add_predicted(world, 0, 4, 10, 1000), add_predicted(world, 0, 4, 10, 900);
  EXPECT_EQ(times_of(world), (Times{{10, 20}, {0, 10}, {0, 10}}));
  add_predicted(world, 1, 8, 5, 0.5);  // key 4, that of the first job 8
  EXPECT_EQ(times_of(world), (Times{{15, 25}, {0, 10}, {0, 10}, {10, 15}}));
}

SmallWorld random_world(std::uint64_t seed, const std::string& order, const std::string& predictor) {
  SmallWorld world;
  world.nodes = 3;
  world.order = order;
  world.predictor = predictor;
  world.placement = seed % 2 == 0 ? "packed-sticky" : "pal";
  world.engine.round_s = 5;
  add_random_jobs(world, seed, 60, 300, 90);
  RandomStream random(seed, Purpose::job_shape, 1);
  for (Job& job : world.jobs) {
    job.submit_s += 0.001 * static_cast<double>(job.id);  // all at different times, so that no newcomers are alone
    job.predicted_s = std::floor(1000 * random.uniform());
  }
  world.measure.last = 59;
  return world;
}

// Exact predictions of jobs of one GPU are SJF; constant ones are fewest GPUs first; a factor on all changes nothing.
TEST(PredictedOrders, AgreeWhereTheyShould) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SmallWorld narrow = random_world(seed, "qssf", "exact");
    for (Job& job : narrow.jobs) job.gpus = 1;
    narrow.nodes = 1;
    SmallWorld shortest = narrow;
    shortest.order = "sjf";
    EXPECT_EQ(times_of(narrow), times_of(shortest));

    SmallWorld constant = random_world(seed, "qssf", "column");
    for (Job& job : constant.jobs) job.predicted_s = 500;
    SmallWorld fewest = constant;
    fewest.order = "fewest-gpus";
    EXPECT_EQ(times_of(constant), times_of(fewest));

    const SmallWorld column = random_world(seed, "qssf", "column");
    SmallWorld scaled = column;
    for (Job& job : scaled.jobs) job.predicted_s *= 8;
    EXPECT_EQ(times_of(column), times_of(scaled));

    SmallWorld none = random_world(seed, "qssf", "");
    EXPECT_EQ(times_of(none), times_of(random_world(seed, "qssf", "exact")));
  }
}

// Causal: another length of a job changes nothing that happens before the job ends.
TEST(PredictedOrders, KnowNothingOfTheFuture) {
  for (const std::string predictor : {"ewma", "rolling"}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const SmallWorld world = random_world(seed, "qssf", predictor);
      const Times times = times_of(world);
      for (const std::size_t changed : {3U, 17U, 31U}) {
        SmallWorld other = world;
        other.jobs[changed].iterations *= 3;
        const Times others = times_of(other);
        const double end_s = times[changed].second;
        std::size_t before = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
          if (!(times[i].first < end_s)) continue;
          ++before;
          EXPECT_EQ(times[i].first, others[i].first) << predictor << ", job " << i;
        }
        EXPECT_GT(before, 0U);
      }
    }
  }
}

// Partitions learn from their own jobs, and predictions teach: with `ewma` the schedule is not that of `exact`.
TEST(PredictedOrders, DependOnWhatWasLearnt) {
  std::size_t differ = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    differ += times_of(random_world(seed, "qssf", "ewma")) != times_of(random_world(seed, "qssf", "exact")) ? 1 : 0;
  }
  EXPECT_GT(differ, 0U);
}

// On a cluster of which half is twice as slow for class A, a job of class A is expected to take longer than its time at
// slowdown 1: 100 s of one GPU come after 120 s of class B.
TEST(PredictedOrders, WeighTheBelievedSlowdown) {
  for (const std::string order : {"qssf", "qssf-believed"}) {
    SmallWorld world;
    world.classes = {"A", "B"};
    world.slowdown_values = {1, 2, 1, 2, 1, 1, 1, 1};
    world.penalty = {1, 1, 1};
    world.bins.bins = 2;
    world.order = order;
    world.engine.round_s = 1;
    world.add(0, 4, 10);
    world.add(1, 4, 100, 0);
    world.add(2, 4, 120, 1);
    world.measure.last = 2;
    const Times times = times_of(world);
    EXPECT_EQ(times[1].first < times[2].first, order == "qssf");
  }
}

}  // namespace
}  // namespace palstudy
