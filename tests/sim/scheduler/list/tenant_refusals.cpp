// SPDX-License-Identifier: MIT
// What tenants do not go together with yet: each alone is refused, and the world without it runs.
#include <gtest/gtest.h>

#include <functional>

#include "core/error.hpp"
#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

SmallWorld plain_tenants() {
  SmallWorld world = random_tenants(1);
  world.placement = "packed-sticky";
  return world;
}

void expect_refused(const char* what, const std::function<void(SmallWorld&)>& change) {
  SmallWorld world = plain_tenants();
  change(world);
  EXPECT_THROW((void)world.run(), Error) << what;
}

TEST(TenantRefusals, EachAlone) {
  EXPECT_NO_THROW((void)plain_tenants().run());
  expect_refused("quotas", [](SmallWorld& world) { world.tenants->quota.push_back(1); });
  expect_refused("starts", [](SmallWorld& world) { world.engine.start = Start::event; });
  expect_refused("backfill", [](SmallWorld& world) { world.engine.backfill = Backfill::none; });
  expect_refused("starvation", [](SmallWorld& world) { world.engine.starvation_s = 1000; });
  expect_refused("order", [](SmallWorld& world) { world.order = "las"; });
}

// A ladder, gangs and preemption want a placement that leaves running jobs where they are; one that places all jobs
// again goes with none of the three, and without them it runs.
TEST(TenantRefusals, OfAPlacementThatPlacesAllJobsAgain) {
  const auto repacking = [](const std::function<void(TenantRules&)>& change) {
    return [change](SmallWorld& world) {
      world.placement = "packed-nonsticky";
      change(*world.tenants);
    };
  };
  SmallWorld none = plain_tenants();
  repacking([](TenantRules&) {})(none);
  EXPECT_NO_THROW((void)none.run());
  expect_refused("ladder", repacking([](TenantRules& rules) { rules.ladder_attempts = 2; }));
  expect_refused("gangs", repacking([](TenantRules& rules) { rules.gang_timeout_s = 70; }));
  expect_refused("preemption", repacking([](TenantRules& rules) { rules.preempt_occupancy = 0.8; }));
}

}  // namespace
}  // namespace palstudy
