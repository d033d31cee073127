// SPDX-License-Identifier: MIT
// Parts that do not work together are refused before a run begins, in one place.
#include "sim/supports.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <string_view>

#include "core/error.hpp"
#include "sim/failure_tables.hpp"
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

/// What check_supports says of a world; "" if all is well. `by_order`: its scheduler serves jobs by an order.
std::string refusal_of(const SmallWorld& world, bool by_order = true) {
  return world.with_world([&](const World& of, Policies policies) -> std::string {
    policies.by_order = by_order;
    try {
      check_supports(of, policies);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  });
}

/// A part of the engine, or a feature of a run, and what turns it on; `shares`: that is its scheduler.
struct InUse {
  const char* name;
  void (*turn_on)(SmallWorld& world);
  bool shares = false;
};

const InUse features_in_use[] = {
    {"jobs that start between boundaries", [](SmallWorld& world) { world.engine.start = Start::event; }},
    {"jobs that wait for those before them", [](SmallWorld& world) { world.engine.backfill = Backfill::none; }},
    {"jobs that starve", [](SmallWorld& world) { world.engine.starvation_s = 50; }},
    {"an order that stops running jobs", [](SmallWorld& world) { world.order = "las"; }},
    {"a placement that is not sticky", [](SmallWorld& world) { world.placement = "pal"; }},
    {"a backfill with reservations", [](SmallWorld& world) { world.backfill = "easy"; }},
    {"an order that keeps a state", [](SmallWorld& world) { world.order = "multifactor"; }},
    {"a scheduler that serves jobs by no order", [](SmallWorld&) {}, true},
};

const InUse parts_in_use[] = {
    {"tenants", [](SmallWorld& world) { world.tenants.emplace().quota = {4}; }},
    {"a backfill with reservations", [](SmallWorld& world) { world.backfill = "easy"; }},
    {"a scheduler that serves jobs by no order", [](SmallWorld&) {}, true},
    {"a ladder", [](SmallWorld& world) { world.tenants.emplace().quota = {4}, world.tenants->ladder_attempts = 1; }},
    {"gangs", [](SmallWorld& world) { world.tenants.emplace().quota = {4}, world.tenants->gang_timeout_s = 70; }},
    {"preemption by tenants",
     [](SmallWorld& world) { world.tenants.emplace().quota = {4}, world.tenants->preempt_occupancy = 1; }},
    {"dedicated nodes",
     [](SmallWorld& world) { world.tenants.emplace().quota = {4}, world.tenants->dedicated = true; }},
};

// Tenants are served by quota, which leaves no room for who goes first otherwise, and what they add moves no job that
// runs. Reservations need an order that is kept to and jobs that stay where they are. A scheduler that serves jobs by
// no order would not use what an order says. Each part with each feature, by letters in the order of the features: x,
// the message names both; t, it names tenants and the feature, since the part comes with them; o, the two the other
// way round.
TEST(Supports, EveryPartIsRefusedWithTheFeaturesThatItDoesNotWorkWith) {
  constexpr std::string_view refused_with[] = {"xxxx.x.x", "..xxx..o", "..x..xx.", "ttttxt.t",
                                               "ttttxt.t", "ttttxt.t", "ttttxt.t"};
  for (std::size_t p = 0; p < std::size(parts_in_use); ++p) {
    for (std::size_t f = 0; f < std::size(features_in_use); ++f) {
      const InUse &part = parts_in_use[p], &feature = features_in_use[f];
      SmallWorld world;
      world.engine.backfill = Backfill::greedy;
      world.add(0, 1, 100);
      world.measure.last = 0;
      part.turn_on(world);
      feature.turn_on(world);
      const std::string a = part.name, b = feature.name;
      const char letter = refused_with[p][f];
      const std::string expected = letter == 'x'   ? a + " with " + b
                                   : letter == 't' ? "tenants with " + b
                                   : letter == 'o' ? b + " with " + a
                                                   : "";
      EXPECT_EQ(refusal_of(world, !part.shares && !feature.shares), expected) << a << ", " << b;
    }
  }
}

class OneSecondInAnyShape final : public ElasticJobs {
 public:
  [[nodiscard]] double iteration_s(JobId, Shape) const override { return 1; }
};

// The message begins with the section that is at fault, and names the job. As wide as a partition a job feels it all.
TEST(Supports, WideJobsAreRefusedWhereEffectsDoNotKnowThem) {
  const auto expect = [](const std::string& where, auto turn_on) {
    SmallWorld world = wide_world();
    world.engine.backfill = Backfill::greedy;
    turn_on(world);
    EXPECT_TRUE(refusal_of(world).starts_with(where + ": job 0 wants 8 GPUs, more than a partition has")) << where;
    world.jobs.front().gpus = 4;
    EXPECT_EQ(refusal_of(world), "") << where;
  };
  expect("interference", [](SmallWorld& world) { world.interference = {1, 1.4}; });
  expect("workload", [](SmallWorld& world) { world.elastic = std::make_shared<OneSecondInAnyShape>(); });
  expect("power", [](SmallWorld& world) { world.energy.emplace(); });
  expect("cluster", [](SmallWorld& world) { world.power.emplace(); });
  expect("tenants.dedicated", [](SmallWorld& world) {
    world.tenants.emplace().quota = {4};
    world.tenants->dedicated = true;
  });
}

// Alone each of them works; two of them ask for things that contradict each other.
TEST(Supports, SomePartsExcludeEachOther) {
  const InUse plain = {"plain", [](SmallWorld&) {}};
  const InUse fails = {"failures", [](SmallWorld& world) { world.failures = fails_always; }};
  const InUse kills = {"kills", [](SmallWorld& world) { world.engine.kills_overruns = true; }};
  const InUse shapes = {"elastic", [](SmallWorld& world) { world.elastic = std::make_shared<OneSecondInAnyShape>(); }};
  const InUse shares = {"tenants", [](SmallWorld& world) { world.tenants.emplace().quota = {4}; }};
  const InUse goes_down = {"outages", [](SmallWorld& world) { world.outages = {{NodeId(0), 10, 20}}; }};
  const InUse goes_off = {"power", [](SmallWorld& world) { world.power.emplace(); }};
  const InUse models = {"models", [](SmallWorld& world) {
                          world.job_models.resize(2);
                          world.job_models.back().kind = JobModelKind::bulk;
                        }};
  const auto refuses = [&](const InUse& a, const InUse& b) {
    SmallWorld world;
    world.engine.backfill = Backfill::greedy;
    world.add(0, 4, 100);
    world.measure.last = 0;
    a.turn_on(world), b.turn_on(world);
    return !refusal_of(world).empty();
  };
  for (const InUse& one : {plain, fails, kills, shapes, shares, goes_down, goes_off, models}) {
    EXPECT_FALSE(refuses(plain, one)) << one.name;
  }
  for (const auto& [a, b] : {std::pair(kills, fails), std::pair(kills, shapes), std::pair(shapes, shares),
                             std::pair(shapes, fails), std::pair(shapes, models), std::pair(shares, goes_down),
                             std::pair(shares, goes_off), std::pair(goes_off, goes_down)}) {
    EXPECT_TRUE(refuses(a, b)) << a.name << ", " << b.name;
  }
  EXPECT_FALSE(refuses(kills, models) || refuses(fails, models) || refuses(fails, goes_off) || refuses(kills, shares));
}

// Each tenant needs a quota, and several partitions need a routing.
TEST(Supports, WhatHasToBeGivenIsGiven) {
  SmallWorld world = wide_world();
  (void)world.with_world([](const World& of, Policies policies) {
    policies.routing = nullptr;
    EXPECT_THROW(check_supports(of, policies), Error);
    return 0;
  });
  world.engine.backfill = Backfill::greedy;
  world.tenants.emplace().quota = {4, 4};
  EXPECT_NE(refusal_of(world), "");
  world.tenant_names = {"a", "b"};
  EXPECT_EQ(refusal_of(world), "");
}

}  // namespace
}  // namespace palstudy
