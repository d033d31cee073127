// SPDX-License-Identifier: MIT
// Parts that do not work together are refused before a run begins, in one place.
#include "sim/supports.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "core/error.hpp"
#include "message_of.hpp"
#include "sim/failure_tables.hpp"
#include "sim/linear_jobs.hpp"
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

template <class Work>
bool throws(Work work) {
  try {
    work();
  } catch (const Error&) {
    return true;
  }
  return false;
}

void check(const SmallWorld& world) {
  (void)world.with_world([](const World& of, const Policies& policies) {
    check_supports(of, policies);
    return 0;
  });
}

/// Jobs on several partitions fail like others, wherever faults are, have neighbours and energies, and lose nodes.
TEST(Supports, WideJobsFeelEffects) {
  EXPECT_NO_THROW(check(wide_world()));
  SmallWorld world = wide_world();
  world.interference = {1.2, 1.4};
  world.energy.emplace();
  world.outages = {{NodeId(0), 10, 20}};
  EXPECT_NO_THROW(check(world));
  world.outages.clear();
  world.power.emplace();
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
  (void)message_of(ErrorCode::data, [&] { check(world); });
}

/// The two features for which a world is refused; none if all is well. `by_order`: its scheduler serves jobs by an
/// order.
std::optional<std::set<Feature>> refused_for(const SmallWorld& world, bool by_order = true) {
  return world.with_world([&](const World& of, Policies policies) -> std::optional<std::set<Feature>> {
    policies.by_order = by_order;
    const Apart* const row = first_apart(features_of(of, policies));
    EXPECT_EQ(row == nullptr, !throws([&] { check_supports(of, policies); }));
    if (row == nullptr) return std::nullopt;
    return std::set{row->first, row->second};
  });
}

/// A feature of a run, and what turns it on; `shares`: that is its scheduler.
struct InUse {
  Feature feature;
  void (*turn_on)(SmallWorld& world);
  bool shares = false;
};

const InUse features_in_use[] = {
    {Feature::event_start, [](SmallWorld& world) { world.engine.start = Start::event; }},
    {Feature::strict_order, [](SmallWorld& world) { world.engine.backfill = Backfill::none; }},
    {Feature::starvation, [](SmallWorld& world) { world.engine.starvation_s = 50; }},
    {Feature::stopping_order, [](SmallWorld& world) { world.order = "las"; }},
    {Feature::repacking, [](SmallWorld& world) { world.placement = "pal"; }},
    {Feature::reservations, [](SmallWorld& world) { world.backfill = "easy"; }},
    {Feature::order_with_state, [](SmallWorld& world) { world.order = "multifactor"; }},
    {Feature::no_order, [](SmallWorld&) {}, true},
};

const InUse parts_in_use[] = {
    {Feature::tenants, [](SmallWorld& world) { world.tenants.emplace().quota = {4}; }},
    {Feature::reservations, [](SmallWorld& world) { world.backfill = "easy"; }},
    {Feature::no_order, [](SmallWorld&) {}, true},
    {Feature::ladder,
     [](SmallWorld& world) { world.tenants.emplace().quota = {4}, world.tenants->ladder_attempts = 1; }},
    {Feature::gangs,
     [](SmallWorld& world) { world.tenants.emplace().quota = {4}, world.tenants->gang_timeout_s = 70; }},
    {Feature::tenant_preemption,
     [](SmallWorld& world) { world.tenants.emplace().quota = {4}, world.tenants->preempt_occupancy = 1; }},
    {Feature::dedicated_nodes,
     [](SmallWorld& world) { world.tenants.emplace().quota = {4}, world.tenants->dedicated = true; }},
};

// Tenants are served by quota, which leaves no room for who goes first otherwise, and what they add moves no job that
// runs. Reservations need an order that is kept to and jobs that stay where they are. A scheduler that serves jobs by
// no order would not use what an order says. Each part with each feature, by letters in the order of the features: x,
// it is for these two; t, for tenants and the feature, since the part comes with them.
TEST(Supports, EveryPartIsRefusedWithTheFeaturesThatItDoesNotWorkWith) {
  constexpr std::string_view refused_with[] = {"xxxx.x.x", "..xxx..x", "..x..xx.", "ttttxt.t",
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
      const char letter = refused_with[p][f];
      std::optional<std::set<Feature>> expected;
      if (letter == 'x') expected = {part.feature, feature.feature};
      if (letter == 't') expected = {Feature::tenants, feature.feature};
      EXPECT_EQ(refused_for(world, !part.shares && !feature.shares), expected)
          << info_of(part.feature).name << ", " << info_of(feature.feature).name;
    }
  }
}

// As wide as a partition a job feels it all.
TEST(Supports, WideJobsAreRefusedWhereEffectsDoNotKnowThem) {
  const auto expect = [](Feature feature, auto turn_on) {
    SmallWorld world = wide_world();
    world.engine.backfill = Backfill::greedy;
    turn_on(world);
    EXPECT_EQ(refused_for(world), (std::set{Feature::wide_jobs, feature})) << info_of(feature).name;
    world.jobs.front().gpus = 4;
    EXPECT_EQ(refused_for(world), std::nullopt) << info_of(feature).name;
  };
  expect(Feature::elastic, [](SmallWorld& world) { world.elastic = linear_jobs(world.jobs.size()); });
  expect(Feature::dedicated_nodes, [](SmallWorld& world) {
    world.tenants.emplace().quota = {4};
    world.tenants->dedicated = true;
  });
}

// Alone each of them works; two of them ask for things that contradict each other.
TEST(Supports, SomePartsExcludeEachOther) {
  const InUse fails = {Feature::failures, [](SmallWorld& world) { world.failures = fails_always; }};
  const InUse kills = {Feature::kills, [](SmallWorld& world) { world.engine.kills_overruns = true; }};
  const InUse shapes = {Feature::elastic, [](SmallWorld& world) { world.elastic = linear_jobs(world.jobs.size()); }};
  const InUse shares = {Feature::tenants, [](SmallWorld& world) { world.tenants.emplace().quota = {4}; }};
  const InUse goes_down = {Feature::outages, [](SmallWorld& world) { world.outages = {{NodeId(0), 10, 20}}; }};
  const InUse goes_off = {Feature::power_off, [](SmallWorld& world) { world.power.emplace(); }};
  const InUse models = {Feature::job_models, [](SmallWorld& world) {
                          world.job_models.resize(2);
                          world.job_models.back().kind = JobModelKind::bulk;
                        }};
  const auto refused = [&](const InUse& a, const InUse& b) {
    SmallWorld world;
    world.engine.backfill = Backfill::greedy;
    world.add(0, 4, 100);
    world.measure.last = 0;
    a.turn_on(world), b.turn_on(world);
    return refused_for(world);
  };
  for (const InUse& one : {fails, kills, shapes, shares, goes_down, goes_off, models}) {
    EXPECT_EQ(refused(one, one), std::nullopt) << info_of(one.feature).name;
  }
  for (const auto& [a, b] : {std::pair(kills, fails), std::pair(kills, shapes), std::pair(shapes, shares),
                             std::pair(shapes, fails), std::pair(shapes, models), std::pair(shares, goes_down),
                             std::pair(shares, goes_off), std::pair(goes_off, goes_down)}) {
    EXPECT_EQ(refused(a, b), (std::set{a.feature, b.feature}));
  }
  for (const auto& [a, b] :
       {std::pair(kills, models), std::pair(fails, models), std::pair(fails, goes_off), std::pair(kills, shares)}) {
    EXPECT_EQ(refused(a, b), std::nullopt);
  }
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
  EXPECT_TRUE(throws([&] { check(world); }));
  world.tenant_names = {"a", "b"};
  EXPECT_FALSE(throws([&] { check(world); }));
}

}  // namespace
}  // namespace palstudy
