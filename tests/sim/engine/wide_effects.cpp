// SPDX-License-Identifier: MIT
// What jobs wider than any partition feel: neighbours, nodes that go down or drain, and the energy that they use; by
// hand, and beside the same jobs on one partition.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/expect_runs.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// So many nodes of four GPUs, each a partition; rounds of 100 s, and no penalty for distance.
SmallWorld nodes_apart(std::uint32_t nodes) {
  SmallWorld world;
  world.nodes = world.partitions = nodes;
  world.penalty = {1, 1, 1};
  world.engine.round_s = 100;
  return world;
}

/// The jobs so far are those of the trace.
void measure_all(SmallWorld& world) { world.measure.last = static_cast<std::int64_t>(world.jobs.size()) - 1; }

// Node 1 is down from 250 to 420 s. The job on both nodes stops at 250 s, between two boundaries, with 250 s done; the
// one that waits for a node gets the other at 300 s, and leaves it at 350 s. At 500 s the first goes on: it ends at
// 1,250 s, stopped once, and was never moved.
TEST(WideOutages, AJobLosesAllItsPartsWithOneNode) {
  SmallWorld world = nodes_apart(2);
  world.outages = {{NodeId(1), 250, 420}};
  world.add(0, 8, 1000);
  world.add(100, 4, 50);
  measure_all(world);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.partition, (std::vector<std::int32_t>{-1, 0}));
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 300}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{1250, 350}));
  EXPECT_EQ(result.jobs.exec_s, (std::vector<double>{1000, 50}));
  EXPECT_EQ(result.jobs.preemptions, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(result.jobs.migrations, (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(result.node_busy_s, (std::vector<double>{4 * 1050, 4 * 1000}));
  EXPECT_EQ(result.events.time_s, (std::vector<double>{0, 250, 300, 350, 500, 1250}));
  expect_sound(world, result);
}

// A node that drains keeps the job that has a part of it. The next wide job needs it, and waits until 900 s.
TEST(WideOutages, ANodeThatDrainsKeepsItsPart) {
  SmallWorld world = nodes_apart(2);
  world.outages = {{NodeId(0), 50, 900, true}};
  world.add(0, 6, 500);
  world.add(100, 6, 100);
  measure_all(world);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 900}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{500, 1000}));
  EXPECT_EQ(result.jobs.preemptions, (std::vector<std::uint32_t>{0, 0}));
}

// The first of three nodes is down. A job on two of them that has waited for a round needs both others, and reserves
// all three: one that comes at 150 s does not pass it on the third, which has been free since 100 s, but starts when
// the wide one has run from 300 to 400 s.
TEST(WideOutages, NodesThatAreDownAreNotWhatIsReserved) {
  SmallWorld world = nodes_apart(3);
  world.routing_options.drain_rounds = 1;
  world.routing_options.max_moves = 0;
  world.outages = {{NodeId(0), 0, 100000}};
  world.routing = "tenant";
  world.tenant_names = {"a", "b"};
  world.of_tenant = {PartitionId(1), PartitionId(2)};
  for (const double seconds : {300.0, 100.0}) world.add(0, 4, seconds);
  world.jobs[1].tenant = 1;
  world.add(0, 8, 100);
  world.add(150, 4, 300);
  world.jobs[3].tenant = 1;
  measure_all(world);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.partition, (std::vector<std::int32_t>{1, 2, -1, 2}));
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, 300, 400}));
}

/// Intra 2, inter 4.
SmallWorld disturbed(std::uint32_t nodes) {
  SmallWorld world = nodes_apart(nodes);
  world.interference = {2, 4};
  return world;
}

// A job of 2 GPUs on node 0, and from 100 s on one of 6 on the rest of both: it spans nodes and the other does not, so
// that both go at half their pace. The first has done its 300 s at 500 s; the second then has 800 of its 1,000 s left.
TEST(WideNeighbours, AJobOfAPartitionAndOneOnSeveral) {
  SmallWorld world = disturbed(2);
  world.add(0, 2, 300);
  world.add(50, 6, 1000);
  measure_all(world);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.partition, (std::vector<std::int32_t>{0, -1}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{500, 1300}));
  EXPECT_DOUBLE_EQ(result.jobs.penalty_mean[0], (100 + 400 * 2) / 500.0);
  EXPECT_DOUBLE_EQ(result.jobs.penalty_mean[1], (400 * 2 + 800) / 1200.0);
}

// Two jobs of 6 on three nodes have two GPUs each of one of them, and share its network card: a quarter of their pace
// until the first has done its 100 s at 400 s.
TEST(WideNeighbours, TwoJobsOnSeveral) {
  SmallWorld world = disturbed(3);
  world.add(0, 6, 100);
  world.add(0, 6, 500);
  measure_all(world);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{400, 800}));
  EXPECT_EQ(result.jobs.penalty_mean[0], 4);
}

// A node of the neighbour goes down at 350 s, not the one that they share, and the neighbour leaves both: from the next
// boundary, 400 s, the wide job, which has done 200 of its 1,000 s, is alone.
TEST(WideNeighbours, LeaveWithTheirNode) {
  SmallWorld world = disturbed(3);
  world.add(0, 6, 1000);
  world.add(0, 6, 500);
  measure_all(world);
  world.interference = {2, 2};
  world.outages = {{NodeId(2), 350, 5000}};
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.preemptions, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(result.jobs.finish_s[0], 1200);
}

/// Two classes on GPUs of unequal speed, whose energy is accounted.
SmallWorld uneven_energy(std::uint32_t nodes) {
  SmallWorld world = nodes_apart(nodes);
  world.classes = {"A", "B"};
  for (std::uint32_t i = 0; i < 2 * 4 * nodes; ++i) world.slowdown_values.push_back(1 + 0.01 * (i * 7 % 11));
  world.energy.emplace();
  world.energy->classes = {{300, 172, 0}, {80, 60, 1.15}};
  world.energy->leaky = ClassId(0);
  world.energy->idle_w = 44;
  world.energy->base_w = 300;
  world.energy->horizon_s = 2000;
  return world;
}

// Base 300 W, GPUs of 300 W that compute and 172 W that wait: on two nodes for 1,100 s, since one GPU of eight is 1.1
// times as slow. The seven others wait for 100 s, also those of the other partition.
TEST(WideEnergy, AllPartsWaitForTheSlowestGpuOfAny) {
  SmallWorld world = uneven_energy(2);
  world.slowdown_values.assign(16, 1.0);
  world.slowdown_values[6] = 1.1;
  world.add(0, 8, 1000);
  const RunResult result = world.run();
  EXPECT_NEAR(result.job_energy_j[0], 2 * 300 * 1100 + 8 * 300 * 1100 - 7 * 100 * 128, 1e-3);
  EXPECT_NEAR(result.power.gpu_s[0], 8 * 1100, 1e-6);
  EXPECT_NEAR(result.power.work_s[0], 8 * 1000, 1e-6);
}

void expect_close(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9 * (1 + std::abs(b[i]))) << i;
}

// A job on part of a node, one on all the rest, and then one on all: they have the same GPUs on one partition and on
// many. The same times, neighbours and energies follow, also where a node goes down or the horizon cuts them.
TEST(WideEnergy, IsThatOfTheSameJobsOnOnePartition) {
  for (const std::uint32_t nodes : {2U, 3U, 5U}) {
    for (const double horizon_s : {700.0, 3000.0}) {
      for (const bool goes_down : {false, true}) {
        SCOPED_TRACE(fmt::format("{} nodes, {} s, {}", nodes, horizon_s, goes_down));
        SmallWorld world = uneven_energy(nodes);
        world.energy->horizon_s = horizon_s;
        world.interference = {1.3, 1.5};
        if (goes_down) world.outages = {{NodeId(1), 430, 570}};
        world.add(0, 2, 330);
        world.add(50, 4 * nodes - 2, 400, 1);
        world.add(1500, 4 * nodes, 250);
        measure_all(world);
        const RunResult apart = world.run();
        EXPECT_EQ(apart.jobs.partition, (std::vector<std::int32_t>{0, -1, -1}));
        world.partitions = 1;
        const RunResult whole = world.run();
        EXPECT_EQ(apart.jobs.finish_s, whole.jobs.finish_s);
        EXPECT_EQ(apart.jobs.start_s, whole.jobs.start_s);
        EXPECT_EQ(apart.jobs.penalty_mean, whole.jobs.penalty_mean);
        EXPECT_EQ(apart.jobs.preemptions, whole.jobs.preemptions);
        EXPECT_EQ(apart.events.gpus, whole.events.gpus);
        expect_close(apart.job_energy_j, whole.job_energy_j);
        expect_close(apart.power.energy_j, whole.power.energy_j);
        expect_close(apart.power.node_s, whole.power.node_s);
        expect_close(apart.power.gpu_s, whole.power.gpu_s);
        expect_close(apart.power.work_s, whole.power.work_s);
        expect_close(apart.node_busy_s, whole.node_busy_s);
      }
    }
  }
}

// Nodes stop after 100 s without a job, and are off from 160 s on. The job that comes at 2,000 s wants both: they boot
// for 300 s, in their partitions or in one, and the job has waited so long for power. Between its end, at 2,800 s, and
// the horizon both are idle for 100 s, and stop.
TEST(WidePower, NodesOfAllPartitionsBootForAJob) {
  for (const std::uint32_t partitions : {1U, 2U}) {
    for (const std::uint32_t gpus : {5U, 8U}) {
      SCOPED_TRACE(fmt::format("{} partitions, {} GPUs", partitions, gpus));
      SmallWorld world = uneven_energy(2);
      world.slowdown_values.assign(16, 1.0);
      world.partitions = partitions;
      world.energy->horizon_s = 5000;
      world.power.emplace();
      world.power->off = "timer";
      world.power->rule.idle_s = 100;
      world.power->boot_s = world.power->rule.boot_s = 300;
      world.power->stop_s = 60;
      world.add(2000, gpus, 500);
      measure_all(world);
      const RunResult result = world.run();
      EXPECT_EQ(result.jobs.start_s[0], 2300);
      EXPECT_EQ(result.jobs.finish_s[0], 2800);
      EXPECT_EQ(result.power_wait_s[0], 300);
      EXPECT_EQ(result.power.node_s, (std::vector<double>{1000, 0, 0, 400, 240, 2 * 1840 + 2 * 2040, 600}));
    }
  }
}

// With nodes that boot at once every start and finish is that without power states.
TEST(WidePower, WithoutBootTimeNothingChanges) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = nodes_apart(4);
    world.engine.backfill = seed % 2 == 0 ? Backfill::greedy : Backfill::none;
    world.placement = seed % 3 == 0 ? "pal" : "packed-sticky";
    add_random_jobs(world, seed, 40, 4000, 900);
    measure_all(world);
    const RunResult on = world.run();
    world.power.emplace();
    world.power->off = "timer";
    world.power->rule.idle_s = 30;
    world.power->boot_s = world.power->rule.boot_s = 0;
    const RunResult off = world.run();
    EXPECT_EQ(bits(off.jobs.start_s), bits(on.jobs.start_s));
    EXPECT_EQ(bits(off.jobs.finish_s), bits(on.jobs.finish_s));
    EXPECT_EQ(off.power_wait_s, std::vector<double>(on.jobs.size(), 0.0));
  }
}

// A job that outlives its expected end is killed there, on one partition or on both: 100 s of 300.
TEST(WideOverruns, AreKilledLikeOthers) {
  for (const std::uint32_t partitions : {1U, 2U}) {
    SmallWorld world = nodes_apart(2);
    world.partitions = partitions;
    world.engine.kills_overruns = true;
    world.add(0, 8, 300);
    world.jobs[0].estimate_s = 100;
    const RunResult result = world.run();
    EXPECT_EQ(result.jobs.finish_s[0], 100);
    EXPECT_EQ(result.jobs.status[0], JobStatus::killed);
  }
}

}  // namespace
}  // namespace palstudy
