// SPDX-License-Identifier: MIT
// What the engine counts of its own work.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/small_world.hpp"

namespace palstudy {
namespace {

// A job is placed before it is launched, and a placement asks the index of free GPUs, which is told of every launch.
// At a boundary a job is placed once at most. So it is in one partition and over several, whose counts are summed.
TEST(EngineCounts, AreOfAllPartitions) {
  for (const std::uint32_t partitions : {1u, 2u, 4u}) {
    SmallWorld world;
    world.nodes = 8;
    world.partitions = partitions;
    world.engine.round_s = 30;
    world.measure.last = 79;
    add_random_jobs(world, 5, 80, 1500, 300);
    for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 4u);
    const RunResult result = world.run();
    const EngineCounts& counts = result.counts;
    const auto launches =
        static_cast<std::uint64_t>(std::count(result.events.kind.begin(), result.events.kind.end(), EventKind::launch));
    EXPECT_GE(launches, 80U);
    EXPECT_GE(counts.placements, launches);
    EXPECT_LE(counts.placements, counts.boundaries * 80);
    EXPECT_GE(counts.index_queries, launches);
    EXPECT_LE(counts.index_queries, counts.placements * 1000);
    EXPECT_GE(counts.index_updates, launches);
    EXPECT_LE(counts.index_updates, launches * 1000);
    EXPECT_LE(counts.index_moves, counts.index_updates * 1000);
  }
}

}  // namespace
}  // namespace palstudy
