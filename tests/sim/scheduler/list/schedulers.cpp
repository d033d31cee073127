// SPDX-License-Identifier: MIT
// The schedulers of the list alone: what each decides on a small state, without a simulation around it.
#include <gtest/gtest.h>

#include "sim/partition_parts.hpp"
#include "sim/scheduler/list/place_waiting.hpp"
#include "sim/scheduler/list/repack.hpp"
#include "sim/state/state_archive.hpp"
#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

/// Two nodes of four GPUs, of which the second is slower; jobs of 4, 4 and 2 GPUs.
SmallWorld slow_second(const std::string& placement, const std::string& order = "fifo") {
  SmallWorld world;
  world.nodes = 2;
  world.placement = placement;
  world.order = order;
  world.bins.bins = 2;
  world.slowdown_values = {1, 1, 1, 1, 1.5, 1.5, 1.5, 1.5};
  for (const std::uint32_t gpus : {4u, 4u, 2u}) world.add(0, gpus, 10000);
  world.measure.last = 2;
  return world;
}

// Jobs 0 and 1 fill the partition; job 2 waits, and without preemption nothing changes until one ends.
TEST(PlaceWaiting, LeavesRunningJobsAlone) {
  with_parts(slow_second("packed-sticky"), [](PartitionParts& parts) {
    PlaceWaiting scheduler(parts.context());
    EXPECT_TRUE(scheduler.idle());
    for (const std::uint32_t job : {0u, 1u, 2u}) parts.admit(job, 0);
    EXPECT_FALSE(scheduler.idle());
    parts.decide(scheduler, 0);
    const GpuSet first = parts.gpus_of(0);
    EXPECT_TRUE(parts.runs(1));
    EXPECT_FALSE(parts.runs(2));
    parts.decide(scheduler, 360);
    EXPECT_EQ(parts.gpus_of(0), first);
    EXPECT_FALSE(parts.runs(2));
    EXPECT_EQ(scheduler.next_change_s(parts.state.view(360)), std::numeric_limits<double>::infinity());
  });
}

// LAS serves the job that has run least: job 2, which never ran, goes before both and stops one of them.
TEST(PlaceWaiting, StopsRunningJobsForThoseBefore) {
  with_parts(slow_second("packed-sticky", "las"), [](PartitionParts& parts) {
    PlaceWaiting scheduler(parts.context());
    parts.admit(0, 0);
    parts.admit(1, 0);
    parts.decide(scheduler, 0);
    parts.admit(2, 360);
    parts.decide(scheduler, 360);
    EXPECT_TRUE(parts.runs(2));
    EXPECT_NE(parts.runs(0), parts.runs(1));
  });
}

// A reserved partition starts nothing.
TEST(PlaceWaiting, StartsNothingInAReservedPartition) {
  with_parts(slow_second("packed-sticky"), [](PartitionParts& parts) {
    PlaceWaiting scheduler(parts.context());
    parts.admit(0, 0);
    parts.state.reserved = true;
    EXPECT_TRUE(scheduler.idle());
  });
}

// Job 0 leaves the fast node at 360 s: job 1 is placed again, there, and so it moves. The same jobs again change
// nothing.
TEST(Repack, PlacesAllJobsAnew) {
  with_parts(slow_second("pal"), [](PartitionParts& parts) {
    Repack scheduler(parts.context());
    parts.admit(0, 0);
    parts.admit(1, 0);
    parts.decide(scheduler, 0);
    EXPECT_EQ(parts.gpus_of(0).front().node, NodeId(0));
    EXPECT_EQ(parts.gpus_of(1).front().node, NodeId(1));
    parts.decide(scheduler, 360);
    EXPECT_FALSE(parts.transaction.repacks()) << "the same jobs in the same order";
    parts.state.running.finish.set(parts.state.running.slot_of(JobId(0)), 400);
    parts.decide(scheduler, 720);
    EXPECT_TRUE(parts.transaction.repacks());
    EXPECT_EQ(parts.gpus_of(1).front().node, NodeId(0));
    EXPECT_EQ(parts.rows.records[0].finish_s, 400.0);
  });
}

// A change of capacity, or a job that failed, makes it place the same jobs once more.
TEST(Repack, ForgetsItsPlacementsWhereTheyNoLongerHold) {
  with_parts(slow_second("pal"), [](PartitionParts& parts) {
    Repack scheduler(parts.context());
    parts.admit(0, 0);
    parts.decide(scheduler, 0);
    scheduler.capacity_changed();
    parts.decide(scheduler, 360);
    EXPECT_TRUE(parts.transaction.repacks());
    scheduler.notify({JobChange::started, JobId(0)});
    parts.decide(scheduler, 720);
    EXPECT_FALSE(parts.transaction.repacks());
    scheduler.notify({JobChange::failed, JobId(0)});
    parts.decide(scheduler, 1080);
    EXPECT_TRUE(parts.transaction.repacks());
  });
}

// The registered scheduler is one of four by the placement and the tenants.
TEST(List, IsChosenByPlacementAndTenants) {
  const auto wants_events = [](const SmallWorld& world) {
    bool found = false;
    with_parts(world, [&](PartitionParts& parts) {
      found = schedulers().at("list").make(parts.context(), {})->wants_events();
    });
    return found;
  };
  EXPECT_FALSE(wants_events(slow_second("packed-sticky")));
  EXPECT_TRUE(wants_events(slow_second("pal")));
  SmallWorld tenants = random_tenants(1);
  tenants.placement = "packed-sticky";
  EXPECT_TRUE(wants_events(tenants));
}

}  // namespace
}  // namespace palstudy
