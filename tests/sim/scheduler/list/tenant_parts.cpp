// SPDX-License-Identifier: MIT
// The parts of the schedulers of tenants alone, each on a small state without a simulation around it.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "sim/partition_parts.hpp"
#include "sim/scheduler/list/tenant_scheduler.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// Two nodes of four GPUs in cabinets of their own; tenants a and b may use four each. Jobs by (tenant, GPUs).
SmallWorld tenants_with_jobs(const std::vector<std::pair<int, std::uint32_t>>& jobs) {
  SmallWorld world;
  world.nodes = 2;
  world.nodes_per_cabinet = 1;
  world.tenant_names = {"a", "b"};
  world.tenants.emplace();
  world.tenants->quota = {4, 4};
  for (const auto& [tenant, gpus] : jobs) {
    world.add(0, gpus, 10000);
    world.jobs.back().tenant = static_cast<std::uint16_t>(tenant);
  }
  world.measure.last = static_cast<std::int64_t>(jobs.size()) - 1;
  return world;
}

void arrive(PartitionParts& parts, TenantScheduler& scheduler, std::uint32_t job, double now_s) {
  parts.admit(job, now_s);
  scheduler.notify({JobChange::arrived, JobId(job), now_s});
}

// What a tenant uses follows the starts and ends of its jobs, and is checked against the running ones: none runs here.
TEST(Tenancy, CountsWhatTenantsUse) {
  with_parts(tenants_with_jobs({{0, 2}, {1, 4}}), [](PartitionParts& parts) {
    Tenancy tenancy(parts.state);
    tenancy.notify({JobChange::started, JobId(0)});
    tenancy.notify({JobChange::started, JobId(1)});
    EXPECT_EQ(tenancy.accounting.used(), std::vector<std::uint64_t>({2, 4}));
    EXPECT_THROW(tenancy.check_usage(0), Error);
    tenancy.notify({JobChange::ended, JobId(0)});
    tenancy.notify({JobChange::stopped, JobId(1)});
    EXPECT_EQ(tenancy.accounting.used(), std::vector<std::uint64_t>({0, 0}));
    EXPECT_NO_THROW(tenancy.check_usage(0));
  });
}

// Job 0 of two GPUs could have them and gets none: it insists on the fewest nodes for two boundaries, on one cabinet
// for two more. Job 1 of one GPU insists on nothing.
TEST(Tenancy, JobsRelaxTheirLocalityAsTheyFail) {
  SmallWorld world = tenants_with_jobs({{0, 2}, {0, 1}});
  world.tenants->ladder_attempts = 2;
  with_parts(world, [](PartitionParts& parts) {
    Tenancy tenancy(parts.state);
    for (const std::uint32_t job : {0u, 1u}) {
      parts.admit(job, 0);
      tenancy.notify({JobChange::arrived, JobId(job), 0});
    }
    parts.transaction.begin(0);
    tenancy.note_delays(parts.state.view(0), parts.transaction);
    EXPECT_EQ(tenancy.next_change_s(), 720.0);
    const RelaxationLevel expected[] = {RelaxationLevel::fewest_nodes, RelaxationLevel::fewest_nodes,
                                        RelaxationLevel::one_cabinet, RelaxationLevel::one_cabinet,
                                        RelaxationLevel::anywhere};
    for (Boundary k = 0; k < 5; ++k) EXPECT_EQ(tenancy.level(JobId(0), k), expected[k]) << k;
    EXPECT_EQ(tenancy.level(JobId(1), 0), RelaxationLevel::anywhere);
  });
}

// Job 0 wants 6 GPUs, 2 more than its tenant's quota, and 8 are free: that it waits is no matter of shares, and nothing
// changes by itself. Where GPUs have become free in the midst of the boundary nobody may borrow, up to the next one.
TEST(Tenancy, AJobThatCouldBorrowWaitsForNoShare) {
  SmallWorld world = tenants_with_jobs({{0, 6}});
  world.tenants->preempt_occupancy = 0.5;
  with_parts(world, [](PartitionParts& parts) {
    Tenancy tenancy(parts.state);
    parts.admit(0, 0);
    tenancy.notify({JobChange::arrived, JobId(0), 0});
    parts.transaction.begin(0);
    tenancy.note_delays(parts.state.view(0), parts.transaction);
    EXPECT_EQ(parts.state.causes->cause(JobId(0)), DelayCause::fragmentation);
    EXPECT_EQ(tenancy.next_change_s(), std::numeric_limits<double>::infinity());
    tenancy.freed = true;
    tenancy.note_delays(parts.state.view(0), parts.transaction);
    EXPECT_EQ(parts.state.causes->cause(JobId(0)), DelayCause::fair_share);
    EXPECT_EQ(tenancy.next_change_s(), 360.0);
  });
}

// Jobs 0 and 2 are within quota and start; job 1 would borrow, and finds no GPU.
TEST(TenantScheduler, ServesThoseWithinQuotaFirst) {
  with_parts(tenants_with_jobs({{0, 4}, {0, 4}, {1, 4}}), [](PartitionParts& parts) {
    TenantScheduler scheduler(parts.context());
    EXPECT_TRUE(scheduler.idle());
    for (const std::uint32_t job : {0u, 1u, 2u}) arrive(parts, scheduler, job, 0);
    EXPECT_FALSE(scheduler.idle());
    parts.decide(scheduler, 0);
    EXPECT_TRUE(parts.runs(0) && parts.runs(2) && !parts.runs(1));
  });
}

// Eight GPUs are free. A job of four, within quota, that waits all the same is a mistake of the scheduler; one of six,
// beyond quota, is none.
TEST(TenantScheduler, FindsAJobWithinQuotaThatCouldRun) {
  for (const std::uint32_t gpus : {4U, 6U}) {
    with_parts(tenants_with_jobs({{0, gpus}}), [&](PartitionParts& parts) {
      TenantScheduler scheduler(parts.context());
      arrive(parts, scheduler, 0, 0);
      if (gpus == 4) {
        EXPECT_THROW(scheduler.check(0), Error);
      } else {
        EXPECT_NO_THROW(scheduler.check(0));
      }
    });
  }
}

// While b has no job, a borrows its GPUs; job 2 of b then stops the one that started last, where stopping is on.
TEST(TenantScheduler, TakesBackWhatWasBorrowed) {
  for (const bool preempts : {true, false}) {
    SmallWorld world = tenants_with_jobs({{0, 4}, {0, 4}, {1, 4}});
    if (preempts) world.tenants->preempt_occupancy = 0.5;
    with_parts(world, [&](PartitionParts& parts) {
      TenantScheduler scheduler(parts.context());
      for (const std::uint32_t job : {0u, 1u}) arrive(parts, scheduler, job, 0);
      parts.decide(scheduler, 0);
      EXPECT_TRUE(parts.runs(0) && parts.runs(1));
      for (const std::uint32_t job : {0u, 1u}) scheduler.notify({JobChange::started, JobId(job), 0});
      arrive(parts, scheduler, 2, 360);
      parts.decide(scheduler, 360);
      EXPECT_TRUE(parts.runs(0));
      EXPECT_EQ(parts.runs(1), !preempts);
      EXPECT_EQ(parts.runs(2), preempts);
    });
  }
}

// A job of two GPUs keeps the other two of its node from others.
TEST(TenantScheduler, KeepsTheRestOfDedicatedNodes) {
  SmallWorld world = tenants_with_jobs({{0, 2}});
  world.tenants->dedicated = true;
  with_parts(world, [](PartitionParts& parts) {
    TenantScheduler scheduler(parts.context());
    arrive(parts, scheduler, 0, 0);
    parts.decide(scheduler, 0);
    const NodeGpus held = parts.gpus_of(0).front();
    EXPECT_EQ(scheduler.kept_free()[held.node.index()], GpuMask{0b1111} & ~held.mask);
    EXPECT_EQ(parts.state.free.total(), 4u);
  });
}

// What is kept can no longer be taken, until it is released.
TEST(DedicatedNodes, KeepAndRelease) {
  with_parts(tenants_with_jobs({{0, 2}}), [](PartitionParts& parts) {
    DedicatedNodes nodes(parts.state);
    parts.launch(1, 0);
    const NodeGpus held = parts.gpus_of(0).front();
    GpuSet partly;
    nodes.partly_used(partly);
    EXPECT_EQ(partly, (GpuSet{{held.node, GpuMask{0b1111} & ~held.mask}}));
    nodes.reserve_nodes(parts.gpus_of(0));
    EXPECT_EQ(parts.state.free.total(), 4u);
    nodes.partly_used(partly);
    EXPECT_TRUE(partly.empty());
    nodes.release_nodes(parts.gpus_of(0));
    EXPECT_EQ(parts.state.free.total(), 6u);
    EXPECT_EQ(nodes.kept(), std::vector<GpuMask>(2, 0));
  });
}

// Jobs 0 and 1 of one GPU are on one node each: for a job of four GPUs, job 0 moves to job 1's node, on paper alone.
TEST(DedicatedNodes, AreClearedByMovingSingles) {
  with_parts(tenants_with_jobs({{0, 1}, {0, 1}}), [](PartitionParts& parts) {
    parts.admit(0, 0);
    parts.admit(1, 0);
    parts.transaction.begin(0);
    parts.transaction.take(JobId(0), {{NodeId(0), 0b0001}});
    parts.transaction.take(JobId(1), {{NodeId(1), 0b0001}});
    parts.dispatcher.commit(0, parts.transaction);
    const DedicatedNodes nodes(parts.state);
    parts.transaction.begin(360);
    const auto before = parts.transaction.savepoint();
    EXPECT_TRUE(nodes.vacate_nodes(parts.transaction, 1, 4));
    EXPECT_EQ(parts.state.free.mask(NodeId(0)), 0b1111u);
    EXPECT_EQ(parts.state.free.mask(NodeId(1)), 0b1100u);
    parts.transaction.rollback(before);
    EXPECT_EQ(parts.state.free.mask(NodeId(0)), 0b1110u);
    EXPECT_FALSE(nodes.vacate_nodes(parts.transaction, 2, 8)) << "no cabinet has two nodes";
  });
}

// Job 1 runs on the slow node. When job 0 leaves the fast one, half of its 10,000 s are worth more than a move of
// 1,000 s, and less than one of 100,000 s. Where nothing became free, nothing is weighed.
TEST(Migration, MovesWhereItRepays) {
  for (const double migration_s : {1000.0, 100000.0}) {
    SmallWorld world;
    world.nodes = 2;
    world.placement = "pal-sticky";
    world.bins.bins = 2;
    world.slowdown_values = {1, 1, 1, 1, 1.5, 1.5, 1.5, 1.5};
    world.engine.migration_s = migration_s;
    for (int j = 0; j < 2; ++j) world.add(0, 4, 10000);
    world.measure.last = 1;
    with_parts(world, [&](PartitionParts& parts) {
      Migration migration(parts.context());
      parts.launch(2, 0);
      ASSERT_EQ(parts.gpus_of(1).front().node, NodeId(1));
      parts.state.running.finish.set(parts.state.running.slot_of(JobId(0)), 300);
      parts.dispatcher.instant(360);
      parts.dispatcher.complete(360);
      parts.transaction.begin(360);
      parts.state.free_set_changed = false;
      EXPECT_FALSE(migration.may_move());
      parts.state.free_set_changed = true;
      EXPECT_TRUE(migration.may_move());
      migration.move_running(parts.state.view(360), parts.transaction, {});
      parts.dispatcher.commit(360, parts.transaction);
      EXPECT_EQ(parts.gpus_of(1).front().node, NodeId(migration_s == 1000 ? 0 : 1));
    });
  }
}

}  // namespace
}  // namespace palstudy
