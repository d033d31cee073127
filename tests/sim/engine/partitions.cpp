// SPDX-License-Identifier: MIT
// Runs of several partitions: what must not depend on how many ranks share them, and what partitions mean.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "sim/expect_runs.hpp"
#include "sim/small_world.hpp"
#include "sim/thread_team.hpp"

namespace palstudy {
namespace {

/// Eight nodes of four GPUs under bursts of jobs, some of which are wider than a partition.
SmallWorld busy_world(std::uint64_t seed, std::uint32_t partitions) {
  SmallWorld world;
  world.nodes = 8;
  world.nodes_per_cabinet = 3;
  world.classes = {"A", "B"};
  RandomStream random(seed, Purpose::cluster_draw, 0);
  for (int i = 0; i < 64; ++i) world.slowdown_values.push_back(0.9 + 0.05 * random.below(8));
  world.penalty = {1.0, 1.3, 1.7};
  world.bins.bins = 3;
  world.engine.round_s = 30;
  world.measure.last = 79;
  world.partitions = partitions;
  world.routing_options.drain_rounds = 3;
  world.routing_options.max_moves = 2;
  add_random_jobs(world, seed, 80, 1500, 400);
  return world;
}

RunResult run_on(int ranks, const SmallWorld& world) {
  RunResult result;
  on_team(ranks, [&](Exchange& exchange) {
    RunResult part = world.run(exchange);
    if (exchange.rank() == 0) result = std::move(part);
  });
  return result;
}

bool has_wide_job(const RunResult& result) {
  return std::find(result.jobs.partition.begin(), result.jobs.partition.end(), -1) != result.jobs.partition.end();
}

// The rule above the others: however many ranks share the partitions, more than there are included, and whether
// boundaries at which nothing can happen are visited, the result is that of one process; and it is sound. Every routing
// policy, orders with and without preemption, sticky and non-sticky placements, levelling and wide jobs take part.
TEST(Partitions, ResultDoesNotDependOnTheRanks) {
  bool wide = false;
  std::uint64_t seed = 0;
  for (const auto& routing : routings().names()) {
    for (const auto& [order, placement] :
         {std::pair("fifo", "pal"), std::pair("las", "packed-sticky"), std::pair("srtf", "packed-nonsticky"),
          std::pair("las", "pal"), std::pair("srtf", "pm-first"), std::pair("fifo", "random-nonsticky")}) {
      for (const std::uint32_t partitions : {2u, 4u, 7u, 8u}) {
        SmallWorld world = busy_world(++seed, partitions);
        world.routing = routing;
        world.routing_options.rebalance_rounds = 1 + static_cast<std::uint32_t>(seed % 5);
        world.order = order;
        world.placement = placement;
        world.engine.start = seed % 3 == 0 ? Start::event : Start::round;
        world.engine.backfill = seed % 2 == 0 ? Backfill::greedy : Backfill::none;
        if (seed % 5 < 2) world.engine.starvation_s = 600;
        SCOPED_TRACE(fmt::format("{} {} {} P {}", routing, order, placement, partitions));
        const RunResult alone = world.run();
        wide = wide || has_wide_job(alone);
        EXPECT_EQ(alone.metric(Metric::jobs_unfinished), 0);
        expect_sound(world, alone);
        for (const int ranks : {2, 3, 9}) {
          SCOPED_TRACE(ranks);
          expect_same(run_on(ranks, world), alone);
        }
        world.engine.visit_every_boundary = true;
        expect_same(world.run(), alone);
      }
    }
  }
  EXPECT_TRUE(wide);
}

// A job stays on the GPUs of its partition, and only a job wider than any partition is on several.
TEST(Partitions, JobsStayInTheirPartition) {
  const SmallWorld world = busy_world(7, 4);
  const RunResult result = world.run();
  ASSERT_TRUE(has_wide_job(result));
  const std::uint32_t each = 8;  // 32 GPUs in 4 partitions
  for (std::size_t e = 0; e < result.events.size(); ++e) {
    std::set<std::uint32_t> partitions;
    for (std::uint32_t i = 0; i < result.events.gpu_count[e]; ++i) {
      partitions.insert(result.events.gpus[result.events.gpu_begin[e] + i] / each);
    }
    const std::size_t j = result.events.job[e].index();
    if (result.events.gpu_count[e] == 0) continue;
    if (world.jobs[j].gpus > each) {
      EXPECT_EQ(result.jobs.partition[j], -1);
      EXPECT_GT(partitions.size(), 1u);
    } else {
      EXPECT_EQ(partitions, std::set{static_cast<std::uint32_t>(result.jobs.partition[j])});
    }
  }
}

/// Two partitions of one node of four GPUs; rounds of 10 s.
SmallWorld two_nodes() {
  SmallWorld world;
  world.nodes = 2;
  world.partitions = 2;
  world.engine.round_s = 10;
  return world;
}

/// Two jobs fill both partitions until 20 and 100 s. A job of 8 GPUs waits from 0 on, small ones arrive at 10 and 50 s.
SmallWorld two_nodes_with_a_wide_job(std::uint32_t drain_rounds) {
  SmallWorld world = two_nodes();
  world.routing_options.drain_rounds = drain_rounds;
  world.add(0, 4, 20);
  world.add(0, 4, 100);
  world.add(0, 8, 10);
  world.add(10, 2, 40);
  world.add(50, 2, 10);
  world.penalty = {1, 1, 1};
  world.measure.last = 4;
  return world;
}

// With drain_rounds = 3 it reserves both partitions from 30 s on: the first small job starts at 20 s, as soon as
// partition 0 is free, and ends at 60 s; the second may not start before the wide job has run (100 s to 110 s).
TEST(WideJobs, ReserveAfterTheirPatience) {
  const RunResult result = two_nodes_with_a_wide_job(3).run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, 100, 20, 110}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{20, 100, 110, 60, 120}));
  EXPECT_EQ(result.jobs.partition[2], -1);
}

// One partition is one GPU too few for a job of 5, so it reserves both: a job that arrives at 50 s may not start on the
// second, which has been free since 20 s, before the wide one has its GPUs at 100 s.
TEST(WideJobs, ReserveAsManyPartitionsAsTheyNeed) {
  SmallWorld world = two_nodes();
  world.routing_options.drain_rounds = 3;
  world.penalty = {1, 1, 1};
  world.add(0, 4, 100);
  world.add(0, 4, 20);
  world.add(0, 5, 10);
  world.add(50, 2, 40);
  world.measure.last = 3;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, 100, 100}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{100, 20, 110, 140}));
  EXPECT_EQ(result.jobs.partition, (std::vector<std::int32_t>{0, 1, -1, 1}));
}

// With a patience that never ends in time the late job passes the wide one.
TEST(WideJobs, ReserveNothingBefore) {
  EXPECT_EQ(two_nodes_with_a_wide_job(1000).run().jobs.start_s, (std::vector<double>{0, 0, 100, 20, 50}));
}

// On both nodes, of one cabinet: 10 iterations of 1 s at the slowest GPU (1.5) and the cabinet's penalty (2) take 30 s.
TEST(WideJobs, RunAtTheSlowestGpuAndTheWidestLevel) {
  SmallWorld world = two_nodes();
  world.slowdown_values = {1, 1, 1, 1, 1, 1, 1.5, 1};
  world.penalty = {1, 2, 3};
  world.add(0, 8, 10);
  world.measure.last = 0;
  const RunResult result = world.run();
  EXPECT_DOUBLE_EQ(result.jobs.finish_s[0], 30);
  EXPECT_DOUBLE_EQ(result.jobs.slowdown_mean[0], 1.5);
  EXPECT_DOUBLE_EQ(result.jobs.penalty_mean[0], 2);
  EXPECT_EQ(result.events.gpu_count[0], 8u);
  world.nodes_per_cabinet = 1;
  EXPECT_DOUBLE_EQ(world.run().jobs.finish_s[0], 45);
}

// Routed by hash, all of a burst may come to lie in one partition; levelling takes jobs that have not started over to
// the idle one, so that the last of eight jobs of 4 GPUs and 10 s on two nodes is done after 4 rounds.
TEST(Levelling, MovesWaitingJobsToTheIdlePartition) {
  SmallWorld world = two_nodes();
  for (int i = 0; i < 8; ++i) world.add(0, 4, 10);
  world.measure.last = 7;
  world.routing = "hash";
  const RunResult levelled = world.run();
  EXPECT_DOUBLE_EQ(levelled.metric(Metric::makespan_s), 40);
  world.routing_options.max_moves = 0;
  EXPECT_GE(world.run().metric(Metric::makespan_s), 40);
}

/// Sixteen GPUs in partitions of 8, 4 and 4 for the tenants a, b and c.
SmallWorld tenants_with_partitions() {
  SmallWorld world;
  world.nodes = 4;
  world.engine.round_s = 30;
  world.partition_sizes = {8, 4, 4};
  world.routing = "tenant";
  world.tenant_names = {"a", "b", "c"};
  world.of_tenant = {PartitionId(0), PartitionId(1), PartitionId(2)};
  return world;
}

// Two jobs of b fill its four GPUs one after the other, although a's eight are free: jobs stay with their tenant's
// partition, and no queue is levelled.
TEST(Partitions, TenantsKeepToTheirPartition) {
  SmallWorld world = tenants_with_partitions();
  for (const std::uint16_t tenant : std::vector<std::uint16_t>{1, 1, 0, 2}) {
    world.add(0, 4, 100);
    world.jobs.back().tenant = tenant;
  }
  world.measure.last = 3;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.partition, std::vector<std::int32_t>({1, 1, 0, 2}));
  EXPECT_EQ(result.jobs.finish_s, std::vector<double>({100, 220, 100, 100}));
  expect_sound(world, result);
}

// A run in which tenants have partitions of their own is that many runs side by side: each tenant's jobs alone, on its
// own nodes, give the same times.
TEST(Partitions, OfTenantsAreRunsSideBySide) {
  SmallWorld world = tenants_with_partitions();
  world.order = "las";
  world.placement = "pal";
  for (int g = 0; g < 16; ++g) world.slowdown_values.push_back(0.9 + 0.1 * (g * 7 % 5));
  world.bins.bins = 4;
  add_random_jobs(world, 3, 60, 1500, 300);
  for (std::size_t j = 0; j < 60; ++j) {
    world.jobs[j].tenant = static_cast<std::uint16_t>(j % 3);
    world.jobs[j].gpus = std::min(world.jobs[j].gpus, 4U);
  }
  world.measure.last = 59;
  const RunResult whole = world.run();
  for (const int ranks : {2, 3, 7}) expect_same(run_on(ranks, world), whole);
  for (const std::uint16_t tenant : std::vector<std::uint16_t>{0, 1, 2}) {
    SmallWorld alone = world;
    std::vector<double> expected;
    alone.jobs.clear();
    for (std::size_t j = 0; j < 60; ++j) {
      if (world.jobs[j].tenant != tenant) continue;
      alone.jobs.push_back(world.jobs[j]);
      expected.push_back(whole.jobs.finish_s[j]);
    }
    EXPECT_EQ(alone.run().jobs.finish_s, expected) << tenant;
  }
}

// Three partitions, held until 100, 40 and 20 s. At 20 a job of 5 GPUs has waited for a round and reserves the first
// two, which could hold it. The one of 12 GPUs behind it has waited as long and reserves nothing, so that a small job
// that comes to the third at 30 starts there at once.
TEST(WideJobs, OnlyTheFirstThatDoesNotFitReserves) {
  SmallWorld world = two_nodes();
  world.nodes = world.partitions = 3;
  world.routing_options.drain_rounds = 1;
  world.engine.backfill = Backfill::greedy;
  world.penalty = {1, 1, 1};
  for (const double seconds : {100, 40, 20}) world.add(0, 4, seconds);
  world.add(10, 5, 10);
  world.add(10, 12, 10);
  world.add(30, 2, 30);
  world.measure.last = 5;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.partition, (std::vector<std::int32_t>{0, 1, 2, -1, -1, 2}));
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, 0, 40, 100, 30}));
}

// Five partitions of four GPUs. Two jobs of 5 GPUs start at 0 and leave three GPUs of each of two partitions, and a
// third one whole. A job of 6 in tensor groups of two could have 8 of these, but what is left beside others is known
// only at the next boundary: it starts then.
TEST(WideJobs, WholeGroupsBesideOthersAreFoundAtTheNextBoundary) {
  SmallWorld world = two_nodes();
  world.nodes = world.partitions = 5;
  world.penalty = {1, 1, 1};
  world.job_models = {JobModel{}, JobModel{}};
  world.job_models[1].kind = JobModelKind::pipelined;
  world.job_models[1].tensor = 2;
  world.job_models[1].pipeline = 3;
  world.job_models[1].microbatches = 6;
  for (const std::uint32_t gpus : {5U, 5U, 6U}) world.add(0, gpus, 100);
  world.jobs.back().model = 1;
  world.measure.last = 2;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, 10}));
  expect_sound(world, result);
}

// Job 0 holds the fast GPU of the first partition until 10, so that job 1 begins on the one that is half as fast. A
// wide job has the fast GPU, beside both of the second partition, from 10 to 30: then job 1 has done 15 s of its work
// and moves there.
TEST(WideJobs, AJobMovesToGpusThatTheyLeave) {
  SmallWorld world = two_nodes();
  world.nodes = 4;
  world.gpus_per_node = 1;
  world.slowdown_values = {1, 2, 1, 1};
  world.penalty = {1, 1, 1};
  world.placement = "pal-sticky";
  world.routing = "tenant";  // all are of the first partition's tenant
  world.add(0, 1, 10);
  world.add(0, 1, 100);
  world.add(5, 3, 20);
  world.measure.last = 2;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, 10}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{10, 30 + 85, 30}));
  EXPECT_EQ(result.jobs.migrations, (std::vector<std::uint32_t>{0, 1, 0}));
}

}  // namespace
}  // namespace palstudy
