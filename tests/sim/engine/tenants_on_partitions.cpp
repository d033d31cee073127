// SPDX-License-Identifier: MIT
// Quotas over several partitions, and jobs of tenants wider than any: by hand, and whatever the ranks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sim/saved_runs.hpp"
#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

/// Partitions of four GPUs, rounds of 100 s; queues are not levelled, so that jobs stay where they are routed.
SmallWorld on_partitions(std::uint32_t partitions, double quota_a, double quota_b) {
  SmallWorld world = two_tenants(quota_a, quota_b);
  world.nodes = world.partitions = partitions;
  world.penalty = {1, 1, 1};
  world.routing_options.max_moves = 0;
  return world;
}

// Tenant a uses its whole quota of 4 on partition 0. At 100 s a and b have a job of 3 GPUs each, both routed to
// partition 1: a's comes first, but would take a over quota, so b's starts; a borrows when it has ended.
TEST(TenantsOnPartitions, WhatATenantUsesElsewhereCounts) {
  SmallWorld world = on_partitions(2, 4, 4);
  add_of(world, 0, 0, 4, 1000);
  add_of(world, 0, 100, 3, 100);
  add_of(world, 1, 100, 3, 300);
  for (const char* placement : {"packed-sticky", "packed-nonsticky"}) {
    world.placement = placement;
    const RunResult result = world.run();
    EXPECT_EQ(result.jobs.partition, (std::vector<std::int32_t>{0, 1, 1})) << placement;
    EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 400, 100})) << placement;
    EXPECT_EQ(waited(result, DelayCause::fair_share, 1), 300) << placement;
  }
}

// a uses 2 GPUs of its quota of 4 on partition 0, and b 4 of 5 on partition 1. At 100 s both have a job of 2 GPUs,
// routed to partition 0: a's keeps it within quota, b's does not and follows.
TEST(TenantsOnPartitions, WhatATenantUsesHereCountsOnce) {
  SmallWorld world = on_partitions(2, 4, 5);
  add_of(world, 0, 0, 2, 1000);
  add_of(world, 1, 0, 4, 1000);
  add_of(world, 0, 100, 2, 300);
  add_of(world, 1, 100, 2, 300);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.partition, (std::vector<std::int32_t>{0, 1, 0, 0}));
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, 100, 400}));
}

// Tenant a has 8 GPUs on two partitions and a quota of 4. b's job of 200 s is within quota and comes to partition 0:
// a's job there is stopped for it, although a is within quota there, and goes on at 500 s, its other 200 s left.
TEST(TenantsOnPartitions, GpusAreReclaimedFromWhoIsOverQuotaElsewhere) {
  SmallWorld world = on_partitions(2, 4, 4);
  world.tenants->preempt_occupancy = 0.9;
  add_of(world, 0, 0, 4, 400);
  add_of(world, 0, 100, 4, 900);
  add_of(world, 1, 200, 4, 300);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 100, 200}));
  EXPECT_EQ(result.jobs.preemptions, (std::vector<std::uint32_t>{1, 0, 0}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{700, 1000, 500}));
}

// On partition 0 a's gang holds 2 GPUs up to 400 s, so that its job of 3 GPUs on partition 1 is over the quota of 4.
// The others know at the next boundary that the gang has given them back: at 500 s b, which has 6 GPUs and a quota of
// 4, has to give partition 1 to it. Nothing else happens then.
TEST(TenantsOnPartitions, APartThatIsGivenBackCountsAtTheNextBoundary) {
  SmallWorld world = on_partitions(2, 4, 4);
  world.tenants->preempt_occupancy = 0.8;
  world.tenants->gang_timeout_s = 300, world.tenants->gang_backoff_s = 500;
  add_of(world, 1, 0, 2, 1000);
  add_of(world, 1, 0, 4, 1000);
  add_of(world, 0, 100, 4, 100);
  add_of(world, 0, 200, 3, 100);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.partition, (std::vector<std::int32_t>{0, 1, 0, 1}));
  EXPECT_EQ(result.jobs.start_s[3], 500);
  EXPECT_EQ(result.jobs.preemptions, (std::vector<std::uint32_t>{0, 1, 0, 0}));
}

// a's job of 8 GPUs on both partitions keeps it within a quota of 8: it goes before b's third job at 300 s. With a
// quota of 4 it would borrow, and waits until no job waits in a partition and all GPUs are free, for its fair share.
TEST(TenantsOnPartitions, AWideJobBorrowsLast) {
  for (const double quota : {8.0, 4.0}) {
    SCOPED_TRACE(quota);
    SmallWorld world = on_partitions(2, quota, 16);
    for (int i = 0; i < 3; ++i) add_of(world, 1, 0, 4, 300);
    add_of(world, 0, 0, 8, 100);
    const RunResult result = world.run();
    const double start_s = quota == 8 ? 300 : 600;
    EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, quota == 8 ? 400.0 : 300.0, start_s}));
    EXPECT_EQ(result.jobs.partition[3], -1);
    EXPECT_EQ(waited(result, DelayCause::fragmentation, 3), quota == 8 ? 300 : 0);
    EXPECT_EQ(waited(result, DelayCause::fair_share, 3), quota == 8 ? 0 : 600);
    EXPECT_EQ(result.delays.node_s[3], 2 * 100);
    EXPECT_EQ(result.delays.shared_s[3], 0);
  }
}

// a's wide job would borrow, and has waited far longer than a round when b's job of 300 s finds partition 1 free:
// nothing is reserved for who borrows. It would be for a job within quota.
TEST(TenantsOnPartitions, NothingIsReservedForAWideJobThatBorrows) {
  for (const double quota : {4.0, 8.0}) {
    SmallWorld world = on_partitions(2, quota, 16);
    world.routing_options.drain_rounds = 1;
    add_of(world, 1, 0, 4, 1000);
    add_of(world, 0, 0, 8, 100);
    add_of(world, 1, 300, 4, 100);
    EXPECT_EQ(world.run().jobs.start_s, (std::vector<double>{0, 1000, quota == 4 ? 300.0 : 1100.0}));
  }
}

// A wide job of a has 8 of 12 GPUs, a's whole quota: on the third partition a's job of 3 GPUs waits for b's.
TEST(TenantsOnPartitions, AWideJobCountsForItsTenant) {
  SmallWorld world = on_partitions(3, 8, 8);
  add_of(world, 0, 0, 8, 1000);
  add_of(world, 0, 100, 3, 100);
  add_of(world, 1, 100, 3, 300);
  EXPECT_EQ(world.run().jobs.start_s, (std::vector<double>{0, 400, 100}));
}

// Of two wide jobs of 100 s the one whose tenant uses the least share of its quota is next, whichever comes first by
// id.
TEST(TenantsOnPartitions, OfWideJobsTheLeastShareOfQuotaIsNext) {
  for (const std::uint16_t first : std::array<std::uint16_t, 2>{0, 1}) {
    SmallWorld world = on_partitions(3, 12, 12);
    add_of(world, 0, 0, 4, 900);
    add_of(world, first, 100, 8, 100);
    add_of(world, first == 0 ? 1 : 0, 100, 8, 100);
    const std::vector<double> b_before_a = {0, first == 0 ? 200.0 : 100.0, first == 0 ? 100.0 : 200.0};
    EXPECT_EQ(world.run().jobs.start_s, b_before_a) << first;
  }
}

// A job of b that has waited in partition 0 since 0 s moves to partition 1 at 200 s, where b's other job then ends: its
// wait has one cause all along, and is counted once.
TEST(TenantsOnPartitions, AJobThatMovesHasWaitedOnce) {
  SmallWorld world = on_partitions(2, 8, 8);
  world.routing_options.max_moves = 4;
  add_of(world, 0, 0, 4, 1000);
  add_of(world, 1, 0, 4, 200);
  add_of(world, 1, 0, 4, 100);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.partition, (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, 200}));
  EXPECT_EQ(waited(result, DelayCause::fragmentation, 2), 200);
}

/// The six nodes of three tenants in 2 or 3 partitions, their jobs of up to 24 GPUs, with everything on that goes with
/// the placement.
SmallWorld random_partitions(std::uint64_t seed, int jobs) {
  SmallWorld world = seed % 6 == 5 ? random_tenants(seed) : random_full_tenants(seed);
  if (seed % 6 == 5) world.placement = "packed-nonsticky";
  world.partitions = seed % 2 == 0 ? 2 : 3;
  world.routing_options = {1 + static_cast<std::uint32_t>(seed % 3), 2, 3};
  world.jobs.resize(static_cast<std::size_t>(jobs));
  world.measure.last = jobs - 1;
  if (seed % 3 != 1) return world;
  world.failures =
      "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1\n"
      "(attempts that fail),,share,,,,,,40\n(jobs that are killed),,share,,,,,,0\nlink,IF,place,no,no,1,5,9,8\n";
  world.failure_options.checkpoint_s = 50;
  return world;
}

// As in one partition: no GPU is held twice, and every second of waiting has one cause, also of wide jobs and of those
// that move from queue to queue. However many ranks share the partitions, and whether boundaries at which nothing can
// change are visited: the same.
TEST(TenantsOnPartitions, RandomRunsAreSoundAndDoNotDependOnTheRanks) {
  std::array<double, delay_causes> sum{};
  std::size_t wide = 0;
  for (std::uint64_t seed = 1; seed <= 36; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = random_partitions(seed, 120);
    const RunResult alone = world.run();
    expect_sound(world, alone);
    ASSERT_EQ(alone.delays.size(), world.jobs.size());
    for (std::size_t j = 0; j < world.jobs.size(); ++j) {
      double delays_s = 0;
      for (std::size_t c = 0; c < delay_causes; ++c) {
        delays_s += alone.delays.seconds[c][j];
        sum[c] += alone.delays.seconds[c][j];
      }
      wide += alone.jobs.partition[j] == -1 ? 1 : 0;
      if (!world.failures.empty()) continue;  // a failed job waits from its failure on, not from the boundary
      const double first_look_s = std::ceil(world.jobs[j].submit_s / 30) * 30;
      EXPECT_NEAR(delays_s + alone.jobs.exec_s[j], alone.jobs.finish_s[j] - first_look_s, 1e-6) << "job " << j;
    }
    for (const int ranks : {1, 2, 3}) {
      Shelf never;
      const auto team = attempt(world, ranks, never);
      ASSERT_TRUE(team);
      expect_all_same(*team, alone);
      EXPECT_EQ(team->delays.node_s, alone.delays.node_s);
    }
    world.engine.visit_every_boundary = true;
    const RunResult often = world.run();
    expect_same(often, alone);
    for (std::size_t c = 0; c < delay_causes; ++c) {
      for (std::size_t j = 0; j < world.jobs.size(); ++j) {
        EXPECT_NEAR(alone.delays.seconds[c][j], often.delays.seconds[c][j], 1e-9) << "cause " << c << ", job " << j;
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(wide, 100U);
  for (const double seconds : sum) EXPECT_GT(seconds, 0) << "a cause that never happened tests nothing";
}

// A run that is stopped at any instant and goes on, on other ranks, ends as one that never stopped.
TEST(TenantsOnPartitions, GoOnFromACheckpoint) {
  std::size_t wide = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const SmallWorld world = random_partitions(seed, 16);
    const RunResult whole = world.run();
    for (const std::int32_t partition : whole.jobs.partition) wide += partition == -1 ? 1 : 0;
    expect_goes_on(world, seed, whole);
    if (HasFailure()) return;
  }
  EXPECT_GT(wide, 5U);
}

}  // namespace
}  // namespace palstudy
