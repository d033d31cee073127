// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "sim/saved_runs.hpp"
#include "sim/uneven_world.hpp"

namespace palstudy {

/// 16 GPUs in two classes under a burst of 14 jobs, whose energy is accounted.
inline SmallWorld short_world(std::uint64_t seed, std::uint32_t partitions) {
  SmallWorld world = uneven_world(seed);
  world.partitions = partitions;
  world.engine.round_s = 30;
  world.engine.backfill = Backfill::greedy;
  world.engine.migration_s = seed % 2 == 0 ? 7 : 0;
  world.routing_options = {1, 2, 3};
  add_random_jobs(world, seed, 14, 200, 150);
  for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 16 / partitions);
  world.measure.last = 13;
  world.energy.emplace();
  world.energy->classes = {{300, 300, 0}, {80, 60, 1.15}};
  world.energy->leaky = ClassId(0);
  world.energy->idle_w = 44;
  world.energy->base_w = 300;
  world.energy->off_w = 10;
  world.energy->horizon_s = 600;
  if (seed % 3 == 0) world.energy->stays_at_once = 9;  // shared while the run goes on, else at its end
  return world;
}

/// Stops the run once at every instant, on so many ranks, and goes on on as many.
inline void expect_restorable(const SmallWorld& world, const RunResult& whole, int ranks) {
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
inline void expect_conforms(const SmallWorld& world, int saved_on) {
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

inline int some_ranks(std::uint64_t seed) {
  constexpr int ranks[] = {1, 2, 3, 7};
  return ranks[seed / 2 % 4];
}

}  // namespace palstudy
