// SPDX-License-Identifier: MIT
// Leases of order rho are on GPUs: until a lease ends its job is neither stopped nor moved, whatever the placement.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "core/numbers.hpp"
#include "sim/expect_runs.hpp"
#include "sim/tenant_world.hpp"
#include "sim/uneven_world.hpp"

namespace palstudy {
namespace {

void lease(SmallWorld& world, double lease_s) {
  world.order = "rho";
  world.set_params = [=](ParamValues& params) { params.set("lease_s", lease_s); };
}

/// 16 GPUs of unequal speed in two classes, all of which are asked for most of the time.
SmallWorld random_leases(std::uint64_t seed, const std::string& placement, double lease_s) {
  SmallWorld world = uneven_world(seed);
  world.engine.round_s = 30;
  world.engine.backfill = seed % 2 == 0 ? Backfill::greedy : Backfill::none;
  world.engine.start = seed % 3 == 0 ? Start::event : Start::round;
  if (seed % 4 == 1) world.engine.starvation_s = 200;
  world.placement = placement;
  lease(world, lease_s);
  add_random_jobs(world, seed, 40, 1500, 400);
  world.measure.last = 39;
  return world;
}

/// Follows the events: GPUs that a job has got it keeps for a lease or to its end. Returns how often they changed.
int expect_kept(const RunResult& result, double lease_s) {
  std::map<std::uint32_t, double> since_s;
  int changes = 0;
  for (std::size_t i = 0; i < result.events.size(); ++i) {
    const std::uint32_t job = result.events.job[i].value;
    const double now_s = result.events.time_s[i];
    const bool launched = result.events.kind[i] == EventKind::launch;
    if (const auto held = since_s.find(job); held != since_s.end() && result.events.kind[i] != EventKind::finish) {
      EXPECT_GE(now_s - held->second, lease_s - 1e-9)
          << "job " << job << (launched ? " moves at " : " is stopped at ") << now_s;
      ++changes;
    }
    since_s.erase(job);
    if (launched) since_s[job] = now_s;
  }
  return changes;
}

/// Under every placement, where jobs start at boundaries or between them, with and without backfill and starvation.
TEST(Leases, NoJobIsStoppedOrMovedBeforeItsLeaseEnds) {
  std::map<std::string, int> changes;
  for (const double lease_s : {45.0, 120.0, 300.0}) {
    for (const auto& placement : placements().names()) {
      for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(fmt::format("{} {} {}", placement, lease_s, seed));
        const SmallWorld world = random_leases(seed, placement, lease_s);
        const RunResult result = world.run();
        expect_sound(world, result);
        changes[placement] += expect_kept(result, lease_s);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  for (const auto& [placement, number] : changes) EXPECT_GT(number, 0) << placement << ": nothing changes its GPUs";
}

/// Tenants go with such an order where all jobs are placed again; a job under a lease keeps its GPUs beyond quota too.
TEST(Leases, HoldAmongTenants) {
  int changes = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SmallWorld world = random_tenants(seed);
    world.placement = seed % 2 == 0 ? "packed-nonsticky" : "pal";
    RandomStream random(seed, Purpose::cluster_draw, 0);
    for (int i = 0; i < 24; ++i) world.slowdown_values.push_back(0.9 + 0.05 * random.below(8));
    lease(world, 100);
    SCOPED_TRACE(fmt::format("{} {}", world.placement, seed));
    const RunResult result = world.run();
    expect_sound(world, result);
    changes += expect_kept(result, 100);
  }
  EXPECT_GT(changes, 0);
}

TEST(Leases, AnEndlessOneKeepsEveryJobWhereItStarted) {
  for (const auto& placement : placements().names()) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const RunResult result = random_leases(seed, placement, infinity).run();
      EXPECT_EQ(result.metric(Metric::preemptions), 0) << placement;
      EXPECT_EQ(result.metric(Metric::migrations), 0) << placement;
    }
  }
}

/// At every boundary all leases have ended, so that nobody stays, as without leases: to the last bit.
TEST(Leases, OfOneRoundAreNone) {
  for (const auto& placement : placements().names()) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SmallWorld none = random_leases(seed, placement, 0), round = random_leases(seed, placement, 30);
      none.engine.start = round.engine.start = Start::round;
      expect_same(none.run(), round.run());
    }
  }
}

/// Two GPUs of a node each, of slowdowns 1 and 2, rounds of 10 s, leases of 35 s. The first job holds the fast GPU for
/// `first_s`, the second has begun on the slow one, at 0, with 100 s of work at slowdown 1.
SmallWorld fast_and_leased(const char* placement, double first_s) {
  SmallWorld world;
  world.nodes = 2;
  world.gpus_per_node = 1;
  world.slowdown_values = {1.0, 2.0};
  world.placement = placement;
  world.engine.round_s = 10;
  world.measure.last = 1;
  lease(world, 35);
  world.add(0, 1, first_s);
  world.add(0, 1, 100);
  return world;
}

/// The fast GPU is free from 20 on. The second job's lease ends at 35, so it moves at the boundary of 40 and has done
/// 20 s of its work; 80 s are left. Where the GPU becomes free at 50, the lease has been renewed at 40 and ends at 75:
/// it moves at 80, with 40 s done.
TEST(Leases, AJobIsPlacedAnewAtTheBoundaryAfterItsLease) {
  for (const char* placement : {"pal", "pal-sticky"}) {
    const RunResult early = fast_and_leased(placement, 20).run();
    EXPECT_EQ(early.jobs.finish_s[1], 40 + 80) << placement;
    EXPECT_EQ(early.jobs.migrations[1], 1U) << placement;
    EXPECT_EQ(fast_and_leased(placement, 50).run().jobs.finish_s[1], 80 + 60) << placement;
  }
}

/// A lease is no shelter from a node that goes down: the job of its GPU stops at the next boundary and starts
/// elsewhere.
TEST(Leases, EndWithTheNode) {
  SmallWorld world = fast_and_leased("pal", 20);
  lease(world, infinity);
  world.outages = {{NodeId(1), 27, 1000}};
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.preemptions[1], 1U);
  EXPECT_LT(result.jobs.finish_s[1], 140) << "it goes on on the fast GPU, and does not wait for its own";
}

}  // namespace
}  // namespace palstudy
