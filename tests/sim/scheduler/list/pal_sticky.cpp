// SPDX-License-Identifier: MIT
// pal-sticky: a running job moves when the time that this saves exceeds what it costs. By hand first; then thousands of
// small random runs against a twin that asks for every job at every boundary, shrunk where they differ.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "shrink.hpp"
#include "sim/scheduler/list/slow_pal_sticky.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Two GPUs of a node each: the first of slowdown 1, the second of 2. Rounds of 10 s. The first job holds the fast GPU
/// until 30, the second begins on the slow one, at 0, with 100 s of work at slowdown 1. Bins have slowdowns relative to
/// the middle of their centroids, so that the GPUs are believed to be of 2/3 and 4/3.
SmallWorld fast_and_slow(double migration_s) {
  SmallWorld world;
  world.nodes = 2;
  world.gpus_per_node = 1;
  world.slowdown_values = {1.0, 2.0};
  world.placement = "pal-sticky";
  world.engine.round_s = 10;
  world.engine.migration_s = migration_s;
  world.measure.last = 1000;
  world.add(0, 1, 30);
  world.add(0, 1, 100);
  return world;
}

// At 30 the second job has done 15 s of its work; 85 s are left, which take 170 s more if it stays. On the fast GPU
// they take 85 s. The saving that is believed in is 85 x (4/3 - 2/3) = 56.7 s.
TEST(PalSticky, MovesWhenTheTimeSavedExceedsTheCost) {
  const auto free_of_charge = fast_and_slow(0).run();
  EXPECT_EQ(free_of_charge.jobs.finish_s[1], 30 + 85);
  EXPECT_EQ(free_of_charge.jobs.migrations[1], 1U);
  EXPECT_EQ(fast_and_slow(56).run().jobs.finish_s[1], 30 + 56 + 85);
  const auto not_repaid = fast_and_slow(57).run();
  EXPECT_EQ(not_repaid.jobs.finish_s[1], 200);
  EXPECT_EQ(not_repaid.jobs.migrations[1], 0U);
}

// A GPU of slowdown 0.5 becomes free at 40. The second job, which moved at 30 and pays for it until 50, still has its
// 85 s of work before it: 10 + 85 if it stays, 20 + 42.5 if it moves again, so that it is worth it: it ends at 102.5.
TEST(PalSticky, WhatIsStillToBePaidForTheLastMoveCountsForTheNext) {
  SmallWorld world = fast_and_slow(20);
  world.nodes = 3;
  world.slowdown_values = {0.5, 1.0, 2.0};
  world.bins.bins = 3;  // of values 0.5, 1 and 2
  world.jobs.clear();
  world.add(0, 1, 80);   // on GPU 0 until 40
  world.add(0, 1, 30);   // on GPU 1 until 30
  world.add(0, 1, 100);  // on GPU 2; 15 s done at 30
  const auto result = world.run();
  EXPECT_EQ(result.jobs.migrations[2], 2U);
  EXPECT_EQ(result.jobs.finish_s[2], 40 + 20 + 42.5);
}

// With `start = "event"` a job that waits gets GPUs at once, but those that run move at boundaries only: the first job
// ends at 25 and the second moves at 30.
TEST(PalSticky, MovesAtBoundariesOnly) {
  SmallWorld world = fast_and_slow(0);
  world.engine.start = Start::event;
  world.jobs[0].iterations = 25;
  EXPECT_EQ(world.run().jobs.finish_s[1], 30 + 85);
}

// Two jobs in the same place: only the older one gets the better GPU, since the other then finds none.
TEST(PalSticky, TheOlderJobMovesFirst) {
  SmallWorld world = fast_and_slow(0);
  world.nodes = 3;
  world.slowdown_values = {1.0, 2.0, 2.0};
  world.add(0, 1, 100);
  const auto result = world.run();
  EXPECT_EQ(result.jobs.migrations[1], 1U);
  EXPECT_EQ(result.jobs.finish_s[1], 115);
  // The younger has done 60 s at 120, when it moves, and ends at 160.
  EXPECT_EQ(result.jobs.finish_s[2], 160);
}

// The fast GPU is down until 30, when the only job, on the slow one, has done 15 s of its 100: it moves as soon as the
// node is back.
TEST(PalSticky, AJobMovesToANodeThatComesBack) {
  SmallWorld world = fast_and_slow(0);
  world.jobs.erase(world.jobs.begin());
  world.outages = {{NodeId(0), 0, 30}};
  const auto result = world.run();
  EXPECT_EQ(result.jobs.migrations[0], 1U);
  EXPECT_EQ(result.jobs.finish_s[0], 30 + 85);
}

SmallWorld random_world(std::uint64_t seed) {
  SmallWorld world;
  RandomStream random(seed, Purpose::cluster_draw, 0);
  const LocalityPenalty penalties[] = {{1.0, 1.7, 1.7}, {1.0, 1.1, 1.4}, {1.0, 1.0, 1.0}, {1.2, 1.0, 1.1}};
  const double costs_s[] = {0, 7, 45, 400};
  world.nodes = 2 + random.below(5);
  world.gpus_per_node = 1 + random.below(5);
  world.nodes_per_cabinet = 1 + random.below(4);
  world.classes = {"A", "B"};
  for (std::uint32_t i = 0; i < 2 * world.nodes * world.gpus_per_node; ++i)
    world.slowdown_values.push_back(0.8 + 0.1 * random.below(10));
  world.bins.bins = 2 + random.below(4);
  world.placement = "pal-sticky";
  world.penalty = penalties[random.below(4)];
  world.believed_penalty = penalties[random.below(4)];
  if (random.below(2) == 0) {  // three models, each with penalties of its own
    for (int model = 0; model < 3; ++model) {
      world.by_model.push_back(penalties[random.below(4)]);
      world.believed_by_model.push_back(penalties[random.below(4)]);
    }
  }
  world.engine.round_s = 30;
  world.engine.migration_s = costs_s[random.below(4)];
  world.measure.last = 1000;
  add_random_jobs(world, seed, 5 + static_cast<int>(random.below(20)), 600, 300);
  for (Job& job : world.jobs) job.model = static_cast<std::uint16_t>(job.id % 3);
  return world;
}

std::vector<SlowEvent> events(const RunResult& result) {
  std::vector<SlowEvent> list;
  for (std::size_t i = 0; i < result.events.size(); ++i) {
    const auto* first = result.events.gpus.data() + result.events.gpu_begin[i];
    list.push_back({result.events.time_s[i], result.events.kind[i], result.events.job[i].value,
                    Gpus(first, first + result.events.gpu_count[i])});
  }
  return list;
}

bool agrees(const SmallWorld& world) {
  return world.with_world([](const World& made, const Policies& policies) {
    return events(simulate(made, policies.order, policies.placement)) == SlowPalSticky(made).run();
  });
}

std::string told(const std::vector<Job>& jobs) {
  std::string text;
  for (const Job& job : jobs)
    text += fmt::format("at {} s class {}: {} GPUs for {} s\n", job.submit_s, job.cls.value, job.gpus, job.ideal_s());
  return text;
}

// Property: every launch, move and finish, with its GPUs and to the last bit of its time, is that of the twin.
TEST(PalSticky, EveryEventIsThatOfTheSlowTwin) {
  std::uint64_t moves = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SmallWorld world = random_world(seed);
    if (agrees(world)) {
      moves += static_cast<std::uint64_t>(world.run().metric(Metric::migrations));
      continue;
    }
    world.jobs = shrink(world.jobs, [&](const std::vector<Job>& jobs) {
      SmallWorld smaller = world;
      smaller.jobs = jobs;
      return !jobs.empty() && !agrees(smaller);
    });
    FAIL() << "seed " << seed << " with these jobs:\n" << told(world.jobs);
  }
  EXPECT_GT(moves, 2000U);  // the runs are of interest
}

}  // namespace
}  // namespace palstudy
