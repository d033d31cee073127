// SPDX-License-Identifier: MIT
// Probe: a node that goes down while it is held, and comes back.
#include <gtest/gtest.h>

#include "sim/expect_runs.hpp"
#include "sim/thread_team.hpp"

namespace palstudy {
namespace {

/// Two nodes of four GPUs, each held by a job of 500 s. Node 1 is down from 150 s to 420 s; rounds of 100 s.
SmallWorld world_with_outage(const std::string& placement) {
  SmallWorld world;
  world.nodes = 2;
  world.placement = placement;
  world.engine.round_s = 100;
  for (int j = 0; j < 2; ++j) world.add(0, 4, 500);
  world.measure.last = 1;
  world.outages = {{NodeId(1), 150, 420}};
  return world;
}

// Job 1 stops at 150 s with 150 s done, waits until node 0 is free (500 s, job 0 first) or node 1 is back (420 s), is
// launched at the boundary 500 s and ends at 500 + 350 = 850 s. Job 0 never notices.
TEST(Probes, ANodeGoesDownWhileItIsHeldAndComesBack) {
  for (const char* placement : {"packed-sticky", "pal", "pal-sticky", "pm-first"}) {
    SCOPED_TRACE(placement);
    const SmallWorld world = world_with_outage(placement);
    const RunResult result = world.run();
    EXPECT_EQ(result.jobs.finish_s, std::vector<double>({500, 850}));
    EXPECT_EQ(result.jobs.exec_s, std::vector<double>({500, 500}));
    EXPECT_EQ(result.jobs.preemptions, std::vector<std::uint32_t>({0, 1}));
    expect_sound(world, result);
  }
}

// The same GPUs at one or four partitions on any number of ranks, with every boundary visited or skipped.
TEST(Probes, OutagesDoNotDependOnRanksOrVisits) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SmallWorld world;
    world.nodes = 8;
    world.placement = seed % 2 == 0 ? "pal" : "packed-sticky";
    world.order = seed % 3 == 0 ? "las" : "fifo";
    world.partitions = seed < 3 ? 1 : 4;
    world.engine.round_s = 30;
    add_random_jobs(world, seed, 60, 900, 300);
    for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 8U);
    world.measure.last = 59;
    for (std::uint32_t n = 0; n < 8; n += 3) world.outages.push_back({NodeId(n), 100.0 + 37 * n, 500.0 + 11 * n});
    const RunResult whole = world.run();
    SmallWorld visited = world;
    visited.engine.visit_every_boundary = true;
    expect_same(visited.run(), whole);
    for (const int ranks : {2, 3, 7}) {
      on_team(ranks, [&](Exchange& exchange) {
        const RunResult part = world.run(exchange);
        if (exchange.rank() == 0) expect_same(part, whole);
      });
    }
  }
}

}  // namespace
}  // namespace palstudy
