// SPDX-License-Identifier: MIT
// Parts that do not work together are refused before a run begins, in one place.
#include "sim/supports.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Two partitions of one node, and a job on both.
SmallWorld wide_world() {
  SmallWorld world;
  world.nodes = 2;
  world.partitions = 2;
  world.add(0, 8, 100);
  world.measure.last = 0;
  return world;
}

void check(const SmallWorld& world) {
  (void)world.with_world([](const World& of, const Policies& policies) {
    check_supports(of, policies);
    return 0;
  });
}

/// Jobs on several partitions fail like others, wherever faults are; no other effect is known for them.
TEST(Supports, WideJobsFailAndFeelNoOtherEffect) {
  EXPECT_NO_THROW(check(wide_world()));
  SmallWorld world = wide_world();
  world.interference = {1.2, 1.4};
  EXPECT_THROW(check(world), Error);
  world.partitions = 1;
  EXPECT_NO_THROW(check(world));
  world = wide_world();
  world.failures =
      "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1\n"
      "(attempts that fail),,share,,,,,,100\n(jobs that are killed),,share,,,,,,0\nlink,IF,place,no,no,1,5,9,8\n";
  world.faults = Faults::gpu;
  EXPECT_NO_THROW(check(world));
  world = wide_world();
  world.engine.backfill = Backfill::greedy;
  world.tenants.emplace().quota = {4};
  EXPECT_NO_THROW(check(world));
  world.tenants->dedicated = true;
  EXPECT_THROW(check(world), Error);
  world = wide_world();
  world.outages = {{NodeId(0), 10, 20}};
  EXPECT_THROW(check(world), Error);
  world.jobs.front().gpus = 4;
  EXPECT_NO_THROW(check(world));
}

/// A tenant's share is of all nodes, so none of them may go away.
TEST(Supports, TenantsKeepAllNodes) {
  SmallWorld world;
  world.engine.backfill = Backfill::greedy;
  world.add(0, 1, 100);
  world.measure.last = 0;
  world.outages = {{NodeId(0), 10, 20}};
  EXPECT_NO_THROW(check(world));
  world.tenants.emplace().quota = {4};
  EXPECT_THROW(check(world), Error);
  world.outages.clear();
  EXPECT_NO_THROW(check(world));
}

/// Not an order that observes, nor a backfill with reservations, nor jobs that go first, nor quotas; all is well with
/// the scheduler that serves jobs by the order.
TEST(Supports, WhatASchedulerWithoutAnOrderWouldNotUse) {
  SmallWorld plain;
  plain.engine.backfill = Backfill::greedy;
  plain.add(0, 1, 100);
  plain.measure.last = 0;
  const auto expect = [](const SmallWorld& world, bool without_order) {
    (void)world.with_world([&](const World& of, Policies policies) {
      EXPECT_NO_THROW(check_supports(of, policies));
      policies.by_order = false;
      if (without_order) {
        EXPECT_NO_THROW(check_supports(of, policies));
      } else {
        EXPECT_THROW(check_supports(of, policies), Error);
      }
      return 0;
    });
  };
  expect(plain, true);
  SmallWorld las = plain, las2d = plain, easy = plain, starved = plain, quotas = plain;
  las.order = "las";
  expect(las, true);
  las2d.order = "las2d";
  expect(las2d, false);
  easy.backfill = "easy";
  expect(easy, false);
  starved.engine.starvation_s = 50;
  expect(starved, false);
  quotas.tenants.emplace();
  quotas.tenants->quota = {4};
  expect(quotas, false);
}

/// The schedulers say themselves whether they use an order.
TEST(Supports, ListServesJobsByAnOrderAndGavelDoesNot) {
  EXPECT_TRUE(schedulers().at("list").make.by_order);
  for (const char* gavel : {"gavel", "gavel-nested"}) EXPECT_FALSE(schedulers().at(gavel).make.by_order) << gavel;
}

TEST(Supports, AJobWiderThanTheClusterIsBadData) {
  SmallWorld world = wide_world();
  world.jobs.front().gpus = 9;
  try {
    check(world);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
  }
}

}  // namespace
}  // namespace palstudy
