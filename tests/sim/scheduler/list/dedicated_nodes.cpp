// SPDX-License-Identifier: MIT
// Jobs of several GPUs with nodes of their own, and jobs of one that make way. Small examples by hand: two nodes of 4
// GPUs, one tenant without limit, rounds of 100 s, GPUs all alike.
#include "sim/scheduler/list/dedicated_nodes.hpp"

#include <gtest/gtest.h>

#include "sim/expect_runs.hpp"
#include "sim/partition_parts.hpp"
#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

SmallWorld dedicated_nodes() {
  SmallWorld world;
  world.nodes = 2;
  world.engine.round_s = 100;
  world.engine.backfill = Backfill::greedy;
  world.tenants.emplace();
  world.tenants->quota = {std::numeric_limits<double>::infinity()};
  world.tenants->dedicated = true;
  return world;
}

// Job 0 of one GPU is on node 0, so job 1 of two has node 1 for itself; packed, they would share node 0. Job 2 of one
// GPU joins job 0, and job 3 of two waits until job 1 is over, though 4 GPUs are idle.
TEST(Dedicated, NodesAreForOneJobOfSeveralGpus) {
  SmallWorld world = dedicated_nodes();
  world.add(0, 1, 2000);
  world.add(0, 2, 500);
  world.add(100, 1, 100);
  world.add(100, 2, 100);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, 100, 500}));
  EXPECT_EQ(result.delays.of(DelayCause::fragmentation)[3], 400);
  EXPECT_EQ(result.events.gpus.at(1), 4u) << "job 1 begins on node 1";
  EXPECT_EQ(result.events.gpus.at(3), 1u) << "job 2 is beside job 0";
}

// Four jobs of one GPU fill node 0 and a fifth is on node 1; at 100 three of the four are over. A job of two GPUs finds
// no node free: the one left on node 0 moves to the fifth's, which costs it 60 s of its own time and nothing else.
TEST(Dedicated, JobsOfOneGpuMoveTogetherForIt) {
  SmallWorld world = dedicated_nodes();
  world.engine.migration_s = 60;
  for (int i = 0; i < 3; ++i) world.add(0, 1, 100);
  world.add(0, 1, 1000);
  world.add(0, 1, 1000);
  world.add(100, 2, 300);
  EXPECT_EQ(world.run().jobs.start_s[5], 1000) << "nobody moves unless it is asked for";
  world.tenants->defragment = true;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s[5], 100);
  EXPECT_EQ(result.jobs.migrations, (std::vector<std::uint32_t>{0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(result.jobs.finish_s[3], 1060);
  EXPECT_EQ(result.jobs.finish_s[4], 1000);
}

/// Jobs of one GPU at these places, by job, which run from 0 on; and `waiting` more of them.
void run_singles_at(PartitionParts& parts, const std::vector<NodeGpus>& places, std::uint32_t waiting) {
  const auto running = static_cast<std::uint32_t>(places.size());
  parts.dispatcher.instant(0);
  for (std::uint32_t j = 0; j < running + waiting; ++j) parts.admit(j, 0);
  parts.transaction.begin(0);
  for (std::uint32_t j = 0; j < running; ++j) parts.transaction.take(JobId(j), GpuSet{places[j]});
  parts.dispatcher.commit(0, parts.transaction);
  parts.dispatcher.instant(100);
  parts.transaction.begin(100);
}

SmallWorld world_of_singles(std::uint32_t nodes, std::uint32_t nodes_per_cabinet, int jobs) {
  SmallWorld world;
  world.nodes = nodes;
  world.nodes_per_cabinet = nodes_per_cabinet;
  for (int i = 0; i < jobs; ++i) world.add(0, 1, 1000);
  world.measure.last = jobs - 1;
  return world;
}

// Two cabinets of two nodes: three jobs of one GPU on node 0 and none on node 1, two on each of nodes 2 and 3. To clear
// a cabinet is to move three jobs or four, so the three move: not to what is free of node 0, which is least, but to
// node 2 as long as that has room, then to node 3.
TEST(Dedicated, TheCabinetIsClearedWhereFewestJobsMove) {
  with_parts(world_of_singles(4, 2, 7), [](PartitionParts& parts) {
    run_singles_at(parts,
                   {{NodeId(0), 0b0001},
                    {NodeId(0), 0b0010},
                    {NodeId(0), 0b0100},
                    {NodeId(2), 0b0001},
                    {NodeId(2), 0b0010},
                    {NodeId(3), 0b0001},
                    {NodeId(3), 0b0010}},
                   0);
    const DedicatedNodes dedicated(parts.state);
    ASSERT_TRUE(dedicated.vacate_nodes(parts.transaction, 2, 8));
    EXPECT_EQ(parts.state.free.mask(NodeId(0)), GpuMask{0b1111});
    EXPECT_EQ(parts.state.free.mask(NodeId(1)), GpuMask{0b1111});
    parts.dispatcher.commit(100, parts.transaction);
    EXPECT_EQ(parts.gpus_of(0), (GpuSet{{NodeId(2), 0b0100}}));
    EXPECT_EQ(parts.gpus_of(1), (GpuSet{{NodeId(2), 0b1000}}));
    EXPECT_EQ(parts.gpus_of(2), (GpuSet{{NodeId(3), 0b0100}}));
  });
}

// The same where the second cabinet is cleared by fewer moves, two instead of five: one job goes to the last free GPU
// of node 1, the other to node 0.
TEST(Dedicated, ALaterCabinetIsClearedIfFewerJobsMove) {
  with_parts(world_of_singles(4, 2, 7), [](PartitionParts& parts) {
    run_singles_at(parts,
                   {{NodeId(0), 0b0001},
                    {NodeId(0), 0b0010},
                    {NodeId(1), 0b0001},
                    {NodeId(1), 0b0010},
                    {NodeId(1), 0b0100},
                    {NodeId(2), 0b0001},
                    {NodeId(2), 0b0010}},
                   0);
    const DedicatedNodes dedicated(parts.state);
    ASSERT_TRUE(dedicated.vacate_nodes(parts.transaction, 2, 8));
    EXPECT_EQ(parts.state.free.mask(NodeId(2)), GpuMask{0b1111});
    EXPECT_EQ(parts.state.free.mask(NodeId(3)), GpuMask{0b1111});
    parts.dispatcher.commit(100, parts.transaction);
    EXPECT_EQ(parts.gpus_of(5), (GpuSet{{NodeId(1), 0b1000}}));
    EXPECT_EQ(parts.gpus_of(6), (GpuSet{{NodeId(0), 0b0100}}));
  });
}

// Three nodes of one GPU, of which two are free: a job of two has its nodes without anybody moving. Three would need
// the one in use, which has nowhere to go.
TEST(Dedicated, NodesThatAreFreeNeedNobodyToMove) {
  SmallWorld world = world_of_singles(3, 3, 1);
  world.gpus_per_node = 1;
  with_parts(world, [](PartitionParts& parts) {
    run_singles_at(parts, {{NodeId(0), 0b1}}, 0);
    const DedicatedNodes dedicated(parts.state);
    EXPECT_TRUE(dedicated.vacate_nodes(parts.transaction, 2, 2));
    EXPECT_FALSE(parts.transaction.changes());
    EXPECT_FALSE(dedicated.vacate_nodes(parts.transaction, 3, 3));
  });
}

// Job 0 on node 0 could move to node 1, but job 4 has just been given GPU 0 of its node and does not move: node 0
// cannot be cleared. Of the three jobs on node 1 only two find room on node 0, so that cannot be cleared either.
TEST(Dedicated, ANodeIsNotClearedOfAJobThatHasJustBeenPlaced) {
  with_parts(world_of_singles(2, 2, 5), [](PartitionParts& parts) {
    run_singles_at(parts, {{NodeId(0), 0b0010}, {NodeId(1), 0b0001}, {NodeId(1), 0b0010}, {NodeId(1), 0b0100}}, 1);
    parts.transaction.take(JobId(4), GpuSet{{NodeId(0), 0b0001}});
    const auto before = parts.transaction.savepoint();
    const DedicatedNodes dedicated(parts.state);
    EXPECT_FALSE(dedicated.vacate_nodes(parts.transaction, 1, 4));
    parts.transaction.rollback(before);
    EXPECT_EQ(parts.state.free.mask(NodeId(0)), GpuMask{0b1100});
    EXPECT_EQ(parts.state.free.mask(NodeId(1)), GpuMask{0b1000});
  });
}

// Random runs with everything else on: no node ever has a job of several GPUs beside any other, the runs are sound, the
// same however often they are looked at, and somebody has moved.
TEST(Dedicated, RandomRunsShareNoNodes) {
  double migrations = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = random_full_tenants(seed);
    world.placement = seed % 2 == 0 ? "packed-sticky" : "random-sticky";
    world.tenants->dedicated = true;
    world.tenants->defragment = seed % 3 != 0;
    const RunResult result = world.run();
    expect_sound(world, result);
    migrations += result.metric(Metric::migrations);
    std::map<std::uint32_t, std::set<std::uint32_t>> nodes_of;  // by job
    for (std::size_t i = 0; i < result.events.size(); ++i) {
      const std::uint32_t job = result.events.job[i].value;
      nodes_of.erase(job);
      for (std::uint32_t g = 0; g < result.events.gpu_count[i]; ++g) {
        nodes_of[job].insert(result.events.gpus[result.events.gpu_begin[i] + g] / world.gpus_per_node);
      }
      if (i + 1 < result.events.size() && result.events.time_s[i + 1] == result.events.time_s[i]) continue;
      std::map<std::uint32_t, int> jobs_on, wide_on;
      for (const auto& [j, nodes] : nodes_of) {
        for (const std::uint32_t node : nodes) ++jobs_on[node], wide_on[node] += world.jobs[j].gpus > 1 ? 1 : 0;
      }
      for (const auto& [node, jobs] : jobs_on) {
        EXPECT_TRUE(wide_on[node] == 0 || jobs == 1) << "on node " << node << " at " << result.events.time_s[i];
      }
    }
    world.engine.visit_every_boundary = true;
    expect_same(result, world.run());
  }
  EXPECT_GT(migrations, 0);
}

}  // namespace
}  // namespace palstudy
