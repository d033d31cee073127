// SPDX-License-Identifier: MIT
// Every registered scheduler, order and placement, and every effect, must give one result: with every boundary visited
// or skipped, saved and restored at every instant, on 1, 2, 3 and 7 ranks. A new one is in this test once it is
// registered.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/saved_runs.hpp"

namespace palstudy {
namespace {

/// 16 GPUs in two classes under a burst of 14 jobs.
SmallWorld short_world(std::uint64_t seed, std::uint32_t partitions) {
  SmallWorld world;
  world.nodes = 4;
  world.nodes_per_cabinet = 2;
  world.classes = {"A", "B"};
  RandomStream random(seed, Purpose::cluster_draw, 0);
  for (int i = 0; i < 32; ++i) world.slowdown_values.push_back(0.9 + 0.05 * random.below(8));
  world.penalty = {1.0, 1.3, 1.7};
  world.bins.bins = 3;
  world.partitions = partitions;
  world.engine.round_s = 30;
  world.engine.backfill = Backfill::greedy;
  world.engine.migration_s = seed % 2 == 0 ? 7 : 0;
  world.routing_options = {1, 2, 3};
  add_random_jobs(world, seed, 14, 200, 150);
  for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 16 / partitions);
  world.measure.last = 13;
  return world;
}

/// Stops the run once at every instant, on so many ranks, and goes on on as many.
void expect_restorable(const SmallWorld& world, const RunResult& whole, int ranks) {
  for (std::uint64_t at = 1; at < whole.counts.boundaries; ++at) {
    Shelf shelf;
    shelf.at = at;
    if (const auto ended = attempt(world, ranks, shelf)) {  // fewer instants at which the ranks agree than in all
      expect_all_same(*ended, whole);
      return;
    }
    shelf.at = 0;
    const auto result = attempt(world, ranks, shelf);
    ASSERT_TRUE(result);
    EXPECT_EQ(shelf.refused, 0);
    expect_all_same(*result, whole);
  }
}

/// `saved_on`: the ranks on which it is saved and restored, where there are several partitions.
void expect_conforms(const SmallWorld& world, int saved_on) {
  const RunResult whole = world.run();
  expect_sound(world, whole);
  SmallWorld visited = world;
  visited.engine.visit_every_boundary = true;
  expect_same(visited.run(), whole);
  for (const int ranks : {1, 2, 3, 7}) {
    Shelf never;
    const auto result = attempt(world, ranks, never);
    ASSERT_TRUE(result);
    expect_all_same(*result, whole);
    if (ranks == (world.partitions == 1 ? 1 : saved_on)) expect_restorable(world, whole, ranks);
    if (::testing::Test::HasFailure()) return;
  }
}

int some_ranks(std::uint64_t seed) {
  constexpr int ranks[] = {1, 2, 3, 7};
  return ranks[seed / 2 % 4];
}

TEST(Conformance, EveryOrderAndPlacement) {
  std::uint64_t seed = 0;
  for (const auto& order : orders().names()) {
    for (const auto& placement : placements().names()) {
      ++seed;
      SmallWorld world = short_world(seed, seed % 2 == 0 ? 1 : 4);
      world.order = order;
      world.placement = placement;
      world.routing = routings().names()[seed % routings().names().size()];
      SCOPED_TRACE(fmt::format("{} {} {}", order, placement, world.partitions));
      ASSERT_NO_FATAL_FAILURE(expect_conforms(world, some_ranks(seed)));
    }
  }
}

TEST(Conformance, EveryScheduler) {
  for (const auto& entry : schedulers().entries()) {
    for (const std::uint32_t partitions : {1u, 4u}) {
      SCOPED_TRACE(entry.name);
      SmallWorld world = short_world(5, partitions);
      world.scheduler = [&](const SchedulerContext& context) {
        return entry.make(context, default_params(entry.params));
      };
      for (const int ranks : {1, 2, 3, 7}) ASSERT_NO_FATAL_FAILURE(expect_conforms(world, ranks));
    }
  }
}

TEST(Conformance, EveryEffect) {
  const auto failures = [](SmallWorld& world) {
    world.failures =
        "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1\n"
        "(attempts that fail),,share,,,,,,60\n(jobs that are killed),,share,,,,,,10\n"
        "bad input,U,job,yes,yes,0.5,2,3,5\nlink,IF,place,no,no,0.3,1,4,8\n";
    world.failure_options.checkpoint_s = 20;
    world.faults = Faults::gpu;
  };
  const auto interference = [](SmallWorld& world) { world.interference = {1.3, 1.5}; };
  const auto outages = [](SmallWorld& world) {
    world.outages = {{NodeId(0), 45, 100}, {NodeId(1), 90, 95}, {NodeId(2), 60, 211}};
    for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 4U);
  };
  std::uint64_t seed = 0;
  for (const char* placement : {"packed-sticky", "pal", "pal-sticky"}) {
    for (unsigned mask = 1; mask < 8; ++mask) {
      ++seed;
      SmallWorld world = short_world(seed, seed % 2 == 0 ? 1 : 4);
      world.placement = placement;
      if ((mask & 1U) != 0) failures(world);
      if ((mask & 2U) != 0) interference(world);
      if ((mask & 4U) != 0) outages(world);
      SCOPED_TRACE(fmt::format("{} {} {}", placement, mask, world.partitions));
      ASSERT_NO_FATAL_FAILURE(expect_conforms(world, some_ranks(seed)));
    }
  }
}

}  // namespace
}  // namespace palstudy
