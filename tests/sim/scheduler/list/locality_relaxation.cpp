// SPDX-License-Identifier: MIT
// The ladder of locality: what each rung allows, against looking at all sets of nodes; and runs worked out by hand.
#include "sim/scheduler/list/locality_relaxation.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

struct Site {
  Topology topology;
  Slowdowns truth;
  Bins bins;
  FreeGpus free;
  explicit Site(const std::vector<NodeGroup>& groups, std::uint32_t nodes_per_cabinet)
      : topology(groups, nodes_per_cabinet),
        truth(Slowdowns::flat({"A"}, topology.gpus())),
        bins(truth, BinRule{}),
        free(topology, bins, IndexNeeds{.counts = true}) {}
};

struct NodeSums {
  std::uint32_t nodes = 0, room = 0, free = 0;
  bool one_cabinet = true;
};

NodeSums sums_of(const Site& site, std::uint32_t subset) {
  NodeSums sums;
  std::optional<CabinetId> cabinet;
  for (std::uint32_t n = 0; n < site.topology.nodes(); ++n) {
    if ((subset >> n & 1) == 0) continue;
    ++sums.nodes;
    sums.room += site.topology.gpus_of(NodeId(n));
    sums.free += static_cast<std::uint32_t>(std::popcount(site.free.mask(NodeId(n))));
    const CabinetId its = site.topology.cabinet_of(NodeId(n));
    sums.one_cabinet = sums.one_cabinet && (!cabinet || *cabinet == its);
    cabinet = its;
  }
  return sums;
}

/// Whether some set of nodes would do: the fewest that could ever hold the job, in one cabinet if a cabinet could.
bool slow_possible(const Site& site, std::uint32_t gpus, RelaxationLevel rung) {
  const std::uint32_t subsets = 1U << site.topology.nodes();
  std::uint32_t fewest = UINT32_MAX;
  for (std::uint32_t s = 1; s < subsets; ++s) {
    const NodeSums sums = sums_of(site, s);
    if (sums.room >= gpus) fewest = std::min(fewest, sums.nodes);
  }
  const std::uint32_t most = rung == RelaxationLevel::fewest_nodes ? fewest : site.topology.nodes();
  bool any_cabinet = false, in_one = false, anywhere = false;
  for (std::uint32_t s = 1; s < subsets; ++s) {
    const NodeSums sums = sums_of(site, s);
    if (sums.nodes > most) continue;
    any_cabinet = any_cabinet || (sums.one_cabinet && sums.room >= gpus);
    in_one = in_one || (sums.one_cabinet && sums.free >= gpus);
    anywhere = anywhere || sums.free >= gpus;
  }
  return any_cabinet && rung != RelaxationLevel::anywhere ? in_one : anywhere;
}

// Nodes of two sizes in cabinets of three, free sets at random; asked in any order, so that what is remembered of one
// width must not be wrong for another. The nodes that are offered are allowed and have enough.
TEST(LocalityRelaxation, AllowsWhatSomeSetOfNodesAllows) {
  Site site({{4, 4}, {3, 2}}, 3);
  RandomStream random(5, Purpose::job_shape, 0);
  for (int round = 0; round < 200; ++round) {
    site.free.give_all();
    for (std::uint32_t n = 0; n < site.topology.nodes(); ++n) {
      const GpuMask taken = site.topology.full(NodeId(n)) & random.word();
      if (taken != 0) site.free.take({NodeId(n), taken});
    }
    LocalityRelaxation relaxation(site.topology);
    for (int ask = 0; ask < 12; ++ask) {
      const std::uint32_t gpus = 1 + random.below(22);
      const RelaxationLevel rung = static_cast<RelaxationLevel>(random.below(3));
      const bool possible = relaxation.possible(site.free, gpus, rung);
      ASSERT_EQ(possible, slow_possible(site, gpus, rung)) << gpus << " on rung " << static_cast<int>(rung);
      if (!possible || rung == RelaxationLevel::anywhere) continue;
      std::vector<NodeId> nodes;
      relaxation.nodes(site.free, gpus, rung, {}, nodes);
      GpuSet all;
      for (const NodeId node : nodes) {
        if (site.free.mask(node) != 0) all.push_back({node, site.free.mask(node)});
      }
      EXPECT_GE(count(all), gpus);
      EXPECT_TRUE(relaxation.allows(all, gpus, rung));
    }
  }
}

// Of several nodes with room for a job, that on which the policy wanted most GPUs; else that with the least room.
TEST(LocalityRelaxation, ComesNearestToTheWish) {
  Site site({{3, 4}}, 3);
  site.free.take({NodeId(1), 0b1});
  const LocalityRelaxation relaxation(site.topology);
  std::vector<NodeId> nodes;
  relaxation.nodes(site.free, 3, RelaxationLevel::fewest_nodes, {{NodeId(0), 0b1}, {NodeId(2), 0b11}}, nodes);
  EXPECT_EQ(nodes, std::vector{NodeId(2)});
  relaxation.nodes(site.free, 3, RelaxationLevel::fewest_nodes, {}, nodes);
  EXPECT_EQ(nodes, std::vector{NodeId(1)});
}

/// Four nodes of 4 GPUs in cabinets of two. On each, a job of 2 GPUs until 1000 and another until the node's `until_s`;
/// then a job of 4 GPUs that arrives at 100.
SmallWorld broken_nodes(const std::vector<double>& until_s) {
  SmallWorld world;
  world.nodes = 4;
  world.nodes_per_cabinet = 2;
  world.engine.round_s = 100;
  world.engine.backfill = Backfill::greedy;
  world.tenants.emplace();
  world.tenants->quota = {16};
  for (const double end_s : until_s) {
    world.add(0, 2, 1000);
    world.add(0, 2, end_s);
  }
  world.add(100, 4, 100);
  world.measure.last = static_cast<std::int64_t>(world.jobs.size()) - 1;
  return world;
}

// Packed two and two, each node has 2 GPUs free from 100 on: 8 in all, none of the nodes 4. Without a ladder the job
// starts at once, on two nodes. With two attempts a rung it insists on one node at 100 and 200, takes one cabinet at
// 300.
TEST(LocalityRelaxation, AJobClimbsAfterItsAttempts) {
  SmallWorld world = broken_nodes({60, 60, 60, 60});
  const std::size_t job = world.jobs.size() - 1;
  RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s[job], 100);
  EXPECT_EQ(result.jobs.penalty_mean[job], 1.7);
  world.tenants->ladder_attempts = 2;
  result = world.run();
  EXPECT_EQ(result.jobs.start_s[job], 300);
  EXPECT_EQ(result.delays.of(DelayCause::fragmentation)[job], 200);
}

// On the lowest rung it starts as soon as a node is free: node 2 loses both of its jobs by 200.
TEST(LocalityRelaxation, ANodeThatBecomesFreeIsTaken) {
  SmallWorld world = broken_nodes({60, 60, 60, 60});
  world.jobs[4].iterations = 150;
  world.tenants->ladder_attempts = 2;
  const RunResult result = world.run();
  const std::size_t job = world.jobs.size() - 1;
  EXPECT_EQ(result.jobs.start_s[job], 200);
  EXPECT_EQ(result.jobs.penalty_mean[job], 1);
}

// Two cabinets with 2 free GPUs each, on one node: one cabinet is not enough either, so it climbs twice: at 300 and
// 500.
TEST(LocalityRelaxation, AJobClimbsToTheCluster) {
  SmallWorld world = broken_nodes({60, 2000, 60, 2000});
  world.tenants->ladder_attempts = 2;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s[world.jobs.size() - 1], 500);
}

// Patience of 2.5 times its 100 s: it climbs at 400 instead of 300, and the last 100 s are put down to locality.
TEST(LocalityRelaxation, APatientJobWaitsForLocality) {
  SmallWorld world = broken_nodes({60, 60, 60, 60});
  world.tenants->ladder_attempts = 2;
  world.tenants->patience = 2.5;
  world.tenants->patience_most_s = 1e6;
  const std::size_t job = world.jobs.size() - 1;
  RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s[job], 400);
  EXPECT_EQ(result.delays.of(DelayCause::fragmentation)[job], 200);
  EXPECT_EQ(result.delays.of(DelayCause::locality)[job], 100);
  world.tenants->patience_most_s = 50;
  EXPECT_EQ(world.run().jobs.start_s[job], 300) << "no longer patient when it may climb";
}

// A policy that spreads jobs at random keeps to the rungs: while nodes are free, jobs of 4 GPUs are on one.
TEST(LocalityRelaxation, AnyPlacementKeepsToIt) {
  for (const char* placement : {"random-sticky", "pal-sticky", "packed-sticky"}) {
    SmallWorld world;
    world.nodes = 4;
    world.nodes_per_cabinet = 2;
    world.placement = placement;
    world.engine.backfill = Backfill::greedy;
    world.tenants.emplace();
    world.tenants->quota = {16};
    world.tenants->ladder_attempts = 3;
    for (int i = 0; i < 4; ++i) world.add(0, 4, 1000);
    world.measure.last = 3;
    EXPECT_EQ(world.run().jobs.penalty_mean, std::vector<double>(4, 1.0)) << placement;
  }
}

}  // namespace
}  // namespace palstudy
