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

// A job of 8 GPUs is on both nodes. Whichever of them goes down at 150 s, it stops with 150 s done; at the boundary
// after 420 s it begins on the same GPUs again, for the 350 s that are left.
TEST(Probes, AJobOnSeveralNodesStopsWhenAnyOfThemGoesDown) {
  for (const std::uint32_t node : {0U, 1U}) {
    SCOPED_TRACE(node);
    SmallWorld world = world_with_outage("packed-sticky");
    world.penalty = {1, 1, 1};
    world.jobs.clear();
    world.add(0, 8, 500);
    world.measure.last = 0;
    world.outages = {{NodeId(node), 150, 420}};
    const RunResult result = world.run();
    EXPECT_EQ(result.jobs.finish_s, std::vector<double>({850}));
    EXPECT_EQ(result.jobs.exec_s, std::vector<double>({500}));
    EXPECT_EQ(result.jobs.preemptions, std::vector<std::uint32_t>({1}));
    EXPECT_EQ(result.jobs.migrations, std::vector<std::uint32_t>({0}));
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

// The same node drains instead: job 1 runs on and ends at 500 s, as job 0 does, and job 2 of four GPUs, which arrives
// at 200 s, starts then.
TEST(Probes, ANodeDrainsWhileItIsHeld) {
  for (const char* placement : {"packed-sticky", "pal", "pal-sticky", "pm-first"}) {
    SCOPED_TRACE(placement);
    SmallWorld world = world_with_outage(placement);
    world.outages[0].drains = true;
    world.add(200, 4, 100);
    world.measure.last = 2;
    const RunResult result = world.run();
    EXPECT_EQ(result.jobs.finish_s, std::vector<double>({500, 500, 600}));
    EXPECT_EQ(result.jobs.preemptions, std::vector<std::uint32_t>({0, 0, 0}));
    expect_sound(world, result);
  }
}

// LAS would stop job 1 for job 2, which has never run, but node 1 drains: the GPUs would be of no use, so job 0 stops
// instead, at 200 s, and goes on at 400 s, when job 2 of 150 s has left node 0.
TEST(Probes, NoJobStopsInVainOnANodeThatDrains) {
  SmallWorld world = world_with_outage("packed-sticky");
  world.order = "las";
  world.outages[0].drains = true;
  world.add(200, 4, 150);
  world.measure.last = 2;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, std::vector<double>({700, 500, 350}));
  EXPECT_EQ(result.jobs.preemptions, std::vector<std::uint32_t>({1, 0, 0}));
  expect_sound(world, result);
}

// Two of node 1's four GPUs are held when it drains from 150 s to 700 s. Job 1 runs on there to 500 s; job 2, of one
// GPU, which arrives at 200 s, waits for node 0 although node 1 has two idle GPUs, and job 3, of four, for node 1 to
// come back at 700 s.
TEST(Probes, NothingStartsOnANodeThatDrains) {
  for (const char* placement : {"packed-sticky", "pal", "pm-first"}) {
    for (const char* order : {"fifo", "srtf"}) {
      SCOPED_TRACE(placement);
      SmallWorld world = world_with_outage(placement);
      world.order = order;
      world.jobs[1].gpus = 2;
      world.outages = {{NodeId(1), 150, 700, true}};
      world.add(200, 1, 600);
      world.add(210, 4, 100);
      world.measure.last = 3;
      const RunResult result = world.run();
      EXPECT_EQ(result.jobs.finish_s[1], 500.0);
      if (world.order == "fifo") {
        EXPECT_EQ(result.jobs.finish_s, std::vector<double>({500, 500, 1100, 800}));
      }
      expect_sound(world, result);
    }
  }
}

}  // namespace
}  // namespace palstudy
