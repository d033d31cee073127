// SPDX-License-Identifier: MIT
// Where nothing tells GPUs apart, which of them a job gets decides nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/expect_runs.hpp"

namespace palstudy {
namespace {

/// GPUs of equal speed in every class, at equal distance.
SmallWorld flat_cluster(std::uint64_t seed, std::uint32_t nodes, Start start) {
  SmallWorld world;
  world.nodes = nodes;
  world.gpus_per_node = 16 / nodes;
  world.nodes_per_cabinet = 2;
  world.classes = {"A", "B"};
  world.penalty = {1, 1, 1};
  world.tenant_names = {"a", "b", "c"};
  world.engine.round_s = 30;
  world.engine.start = start;
  add_random_jobs(world, seed, 40, 1500, 400);
  for (Job& job : world.jobs) {
    job.tenant = static_cast<std::uint16_t>(job.id % 3);
    job.estimate_s = job.ideal_s() * (1 + 0.5 * static_cast<double>(job.id % 4));
  }
  world.measure.last = 39;
  world.set_params = [](ParamValues& params) {
    params.set("thresholds", std::string("100, 400"));
    params.set("promote", 2.0);
    params.set("lease_s", 70.0);
  };
  return world;
}

struct Kind {
  bool sticky, refuses;
};

Kind kind_of(const std::string& placement) {
  SmallWorld world = flat_cluster(1, 1, Start::round);
  world.placement = placement;
  return world.with_world([](const World& /*world*/, const Policies& policies) {
    return Kind{policies.placement.sticky(), policies.placement.may_refuse()};
  });
}

/// The placements that must agree. One that may refuse free GPUs does so for the nodes that they are on, so it is among
/// them where there is one node. Who stays where it is and who is placed again at every boundary need not agree.
std::vector<std::string> alike(bool sticky, std::uint32_t nodes) {
  std::vector<std::string> names;
  for (const std::string& name : placements().names()) {
    const Kind kind = kind_of(name);
    if (kind.sticky == sticky && (nodes == 1 || !kind.refuses)) names.push_back(name);
  }
  return names;
}

bool stops_jobs(const std::string& order) {
  ParamValues params = default_params(orders().at(order).params);
  params.set("PriorityWeightAge", 1000.0);  // without a weight multifactor is no order
  return orders().at(order).make(params)->preemptive();
}

/// The backfills that go with an order and a kind of placement. One that promises nodes may decide by which nodes are
/// taken, where there are several.
std::vector<std::string> backfills_with(const std::string& order, bool sticky, std::uint32_t nodes) {
  std::vector<std::string> names;
  for (const std::string& name : backfills().names()) {
    const auto backfill = backfills().at(name).make(default_params(backfills().at(name).params));
    if (nodes > 1 && backfill->plans_nodes()) continue;
    if (!backfill->reserves() || (sticky && !stops_jobs(order))) names.push_back(name);
  }
  return names;
}

SmallWorld with_backfill(SmallWorld world, const std::string& backfill) {
  const bool reserves = backfills().at(backfill).make(default_params(backfills().at(backfill).params))->reserves();
  world.backfill = reserves ? backfill : "";
  world.engine.backfill = backfill == "none" ? Backfill::none : Backfill::greedy;
  return world;
}

void expect_same_times(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(bits(a.jobs.start_s), bits(b.jobs.start_s));
  EXPECT_EQ(bits(a.jobs.finish_s), bits(b.jobs.finish_s));
  EXPECT_EQ(a.jobs.preemptions, b.jobs.preemptions);
}

/// All placements in turn; what the first gives, all give. Returns how many there are.
std::size_t expect_irrelevant(SmallWorld world, const std::vector<std::string>& names) {
  std::optional<RunResult> first;
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    world.placement = name;
    const RunResult result = world.run();
    expect_sound(world, result);
    if (first) expect_same_times(result, *first);
    if (!first) first = result;
  }
  return names.size();
}

TEST(FlatCluster, PlacementIsIrrelevantToStarts) {
  std::size_t runs = 0;
  std::uint64_t seed = 0;
  for (const bool sticky : {true, false}) {
    for (const std::uint32_t nodes : {1u, 4u}) {
      const std::vector<std::string> names = alike(sticky, nodes);
      ASSERT_GE(names.size(), 2U);
      for (const std::string& order : orders().names()) {
        for (const std::string& backfill : backfills_with(order, sticky, nodes)) {
          for (const Start start : {Start::round, Start::event}) {
            SmallWorld world = with_backfill(flat_cluster(++seed % 7, nodes, start), backfill);
            world.order = order;
            SCOPED_TRACE(fmt::format("{} {} on {} nodes, seed {}", order, backfill, nodes, seed % 7));
            runs += expect_irrelevant(world, names);
          }
        }
      }
    }
  }
  EXPECT_GE(runs, 12 * orders().names().size());
}

// Under Gavel a placement chooses inside a bin, and here there is one.
TEST(FlatCluster, PlacementIsIrrelevantUnderOtherSchedulers) {
  for (const auto& entry : schedulers().entries()) {
    if (entry.name == "list") continue;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SmallWorld world = flat_cluster(seed, seed == 1 ? 1 : 4, Start::round);
      world.scheduler = [&](const SchedulerContext& context) {
        return entry.make(context, default_params(entry.params));
      };
      std::vector<std::string> names = alike(true, world.nodes);
      for (const std::string& name : alike(false, world.nodes)) names.push_back(name);
      SCOPED_TRACE(fmt::format("{} seed {}", entry.name, seed));
      expect_irrelevant(world, names);
    }
  }
}

// Jobs of two classes that no GPU tells apart change places: what a job gets, and so its rho, is what it was.
TEST(FlatCluster, ClassesThatAreAlikeAreServedAlike) {
  std::uint64_t seed = 0;
  for (const std::string& order : orders().names()) {
    for (const std::string& placement : placements().names()) {
      const bool sticky = kind_of(placement).sticky;
      for (const std::string& backfill : backfills_with(order, sticky, 1)) {
        SmallWorld world = with_backfill(flat_cluster(++seed % 7, 4, Start::round), backfill);
        world.order = order;
        world.placement = placement;
        SmallWorld swapped = world;
        for (Job& job : swapped.jobs) job.cls = ClassId(1 - job.cls.value);
        SCOPED_TRACE(fmt::format("{} {} {}, seed {}", order, placement, backfill, seed % 7));
        expect_same_times(world.run(), swapped.run());
      }
    }
  }
}

}  // namespace
}  // namespace palstudy
