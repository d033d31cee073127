// SPDX-License-Identifier: MIT
// The examples of CONTRIBUTING.md, as they stand there (tests/examples.py takes them out of the page).
#include <gtest/gtest.h>

#include "sim/effects/failures/attempts.hpp"
#include "sim/expect_runs.hpp"
#include "sim/small_world.hpp"
#include "sim/state/effect.hpp"

namespace palstudy {

void register_placement_emptiest_first(PlacementRegistry& registry);
void register_scheduler_widest_first(SchedulerRegistry& registry);
void register_effect_node_starts(EffectRegistry& registry);

namespace {

// Nodes of 4 GPUs with 1, 4 and 2 free ones: five GPUs are the four of node 1 and one of node 2.
TEST(Examples, OfAPlacement) {
  PlacementRegistry registry("placement");
  register_placement_emptiest_first(registry);
  const Topology topology(std::vector<NodeGroup>{{3, 4}}, 16);
  const Bins bins(Slowdowns::flat({"A"}, 12), BinRule{1, false});
  const auto policy = registry.at("emptiest-first").make({topology, bins, LocalityPenalty{}, 1}, {});
  FreeGpus free(topology, bins, policy->needs());
  free.take({NodeId(0), 0b0111});
  free.take({NodeId(2), 0b0101});
  GpuSet gpus;
  ASSERT_TRUE(policy->choose({JobId(0), ClassId(0), 5, 0}, free, gpus));
  EXPECT_EQ(gpus, (GpuSet{{NodeId(1), 0b1111}, {NodeId(2), 0b0010}}));
  EXPECT_FALSE(policy->choose({JobId(0), ClassId(0), 8, 0}, free, gpus));
}

// Of jobs of 1, 2 and 4 GPUs on four, the last starts first, and then both others; the same whether boundaries at which
// nothing changes are visited or not.
TEST(Examples, OfAScheduler) {
  SchedulerRegistry registry("scheduler");
  register_scheduler_widest_first(registry);
  EXPECT_FALSE(registry.at("widest-first").make.by_order);
  SmallWorld world;
  world.engine.round_s = 50;
  for (const std::uint32_t gpus : {1u, 2u, 4u}) world.add(0, gpus, 100);
  world.measure.last = 2;
  world.scheduler = [&](const SchedulerContext& context) { return registry.at("widest-first").make(context, {}); };
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, std::vector<double>({200, 200, 100}));
  expect_sound(world, result);
  world.engine.visit_every_boundary = true;
  expect_same(world.run(), result);
}

// A job of two nodes starts 5 s later, which is `migration_s`, and one of one node at once.
TEST(Examples, OfAnEffect) {
  EffectRegistry registry("effect");
  register_effect_node_starts(registry);
  const EffectMaker& effect = registry.at("node-starts").make;
  SmallWorld world;
  world.nodes = 3;
  world.penalty = {1, 1, 1};
  world.add(0, 8, 100);
  world.add(0, 4, 100);
  world.measure.last = 1;
  world.engine.migration_s = 5;
  Attempts attempts(0);
  world.effects = {[&](PartitionState& state) { return effect.make(state, attempts); }};
  EXPECT_EQ(world.run().jobs.finish_s, std::vector<double>({105, 100}));
  const auto used = [&] { return world.with_world([&](const World& w, const Policies&) { return effect.used(w); }); };
  EXPECT_TRUE(used());
  world.engine.migration_s = 0;
  EXPECT_FALSE(used());
}

}  // namespace
}  // namespace palstudy
