// SPDX-License-Identifier: MIT
// Gavel with placements that may refuse a job: a share of the time of a type is kept, wherever its GPUs lie.
#include <gtest/gtest.h>

#include "sim/expect_runs.hpp"
#include "sim/scheduler/gavel/gavel_scheduler.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// Nodes of two GPUs, one fast and one slow: no type has two GPUs on a node. All jobs have one large tensor.
SmallWorld scattered_world(const std::string& placement, const GavelOptions& options) {
  SmallWorld world;
  world.nodes = 4;
  world.gpus_per_node = 2;
  world.slowdown_values = {1, 2, 1, 2, 1, 2, 1, 2};
  world.bins.bins = 2;
  world.penalty = {1, 1, 1};
  world.engine.round_s = 360;
  world.placement = placement;
  world.model_use.resize(1);
  world.model_use[0].skew = 1;
  world.scheduler = [=](const SchedulerContext& context) { return std::make_unique<GavelScheduler>(context, options); };
  world.measure.last = 100;
  return world;
}

/// The nodes of the first launch of a job.
std::set<std::uint32_t> first_nodes(const SmallWorld& world, const RunResult& result, std::uint32_t job) {
  std::set<std::uint32_t> nodes;
  for (std::size_t i = 0; i < result.events.size() && nodes.empty(); ++i) {
    if (result.events.job[i] != JobId(job) || result.events.kind[i] != EventKind::launch) continue;
    for (std::uint32_t g = 0; g < result.events.gpu_count[i]; ++g) {
      nodes.insert(result.events.gpus[result.events.gpu_begin[i] + g] / world.gpus_per_node);
    }
  }
  return nodes;
}

std::vector<std::string> refusing_placements() {
  const SmallWorld world = scattered_world("packed-sticky", {});
  std::vector<std::string> names;
  for (const auto& entry : placements().entries()) {
    SmallWorld with = world;
    with.add(0, 1, 1);
    with.placement = entry.name;
    (void)with.with_world([&](const World&, const Policies& policies) {
      if (policies.placement.may_refuse()) names.push_back(entry.name);
      return 0;
    });
  }
  return names;
}

// A job alone on idle GPUs runs at once, on two of the fast ones, which lie on two nodes: its type has no others.
TEST(GavelPlacements, AJobAloneRunsThoughItsTypeIsScattered) {
  const auto names = refusing_placements();
  ASSERT_GE(names.size(), 2U);
  for (const std::string& placement : names) {
    for (const TypeRule types : {TypeRule::widest, TypeRule::joint}) {
      GavelOptions options;
      options.types = types;
      SCOPED_TRACE(placement);
      SmallWorld world = scattered_world(placement, options);
      world.add(0, 2, 500);
      const RunResult result = world.run();
      expect_sound(world, result);
      EXPECT_EQ(result.jobs.start_s[0], 0);
      EXPECT_EQ(result.jobs.finish_s[0], 500);
      EXPECT_EQ(first_nodes(world, result, 0), (std::set<std::uint32_t>{0, 1}));
    }
  }
}

// Nested, the fast type comes first and is scattered as before.
TEST(GavelPlacements, ANestedGangRunsThoughItsTypeIsScattered) {
  GavelOptions options;
  options.nested = true;
  for (const std::string& placement : refusing_placements()) {
    SmallWorld world = scattered_world(placement, options);
    for (int j = 0; j < 3; ++j) world.add(0, 2, 500);
    const RunResult result = world.run();
    expect_sound(world, result);
    EXPECT_EQ(result.metric(Metric::jobs_unfinished), 0) << placement;
  }
}

// Two nodes of four GPUs of one type, two jobs of three and one of two: enough GPUs are left for it, on two nodes. The
// type could hold it on one, so it waits for a round in which it is placed there.
TEST(GavelPlacements, AJobThatItsTypeCouldHoldWaitsForItsNode) {
  SmallWorld world = scattered_world("consolidate", {});
  world.nodes = 2;
  world.gpus_per_node = 4;
  world.slowdown_values.assign(8, 1.0);
  world.bins.bins = 1;
  for (const std::uint32_t gpus : {3U, 3U, 2U}) world.add(0, gpus, 1000);
  const RunResult result = world.run();
  expect_sound(world, result);
  EXPECT_GT(result.jobs.start_s[2], 0);
  EXPECT_EQ(first_nodes(world, result, 2).size(), 1U);
  world.placement = "packed-sticky";
  EXPECT_EQ(world.run().jobs.start_s[2], 0);
}

/// How many GPUs the launches of a job have on nodes, each node of each launch.
std::vector<std::uint32_t> gpus_on_nodes(const SmallWorld& world, const RunResult& result, JobId job) {
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i < result.events.size(); ++i) {
    if (result.events.job[i] != job || result.events.kind[i] != EventKind::launch) continue;
    std::map<std::uint32_t, std::uint32_t> on_node;
    for (std::uint32_t g = 0; g < result.events.gpu_count[i]; ++g) {
      ++on_node[result.events.gpus[result.events.gpu_begin[i] + g] / world.gpus_per_node];
    }
    for (const auto& [node, gpus] : on_node) all.push_back(gpus);
  }
  return all;
}

// A node has three GPUs of the fast and of the middle type, and two of the slow one. Jobs of 4 that the placement
// refuses a type take GPUs anywhere in it, and one of 32 is wider than every type: tensor groups of two stay on a node.
TEST(GavelPlacements, TensorGroupsStayOnANode) {
  for (const std::string& placement : placements().names()) {
    for (const bool nested : {false, true}) {
      GavelOptions options;
      options.nested = nested;
      SmallWorld world = scattered_world(placement, options);
      world.nodes = 8;
      world.gpus_per_node = 8;
      world.slowdown_values.clear();
      for (std::uint32_t g = 0; g < 64; ++g) world.slowdown_values.push_back(1 + g % 8 % 3);
      world.bins.bins = 3;
      world.model_use.clear();
      world.job_models = {JobModel{}, JobModel{}};
      world.job_models[1].kind = JobModelKind::pipelined;
      world.job_models[1].tensor = 2;
      world.job_models[1].microbatches = 16;
      for (const std::uint32_t gpus : {4U, 3U, 32U, 4U, 2U, 5U}) {
        world.add(0, gpus, 1000);
        if (gpus % 2 == 0) world.jobs.back().model = 1;
      }
      const RunResult result = world.run();
      SCOPED_TRACE(placement + (nested ? ", nested" : ""));
      expect_sound(world, result);
      EXPECT_EQ(result.metric(Metric::jobs_unfinished), 0);
      for (std::uint32_t job = 0; job < world.jobs.size(); ++job) {
        if (world.jobs[job].model == 0) continue;
        for (const std::uint32_t gpus : gpus_on_nodes(world, result, JobId(job))) EXPECT_EQ(gpus % 2, 0U) << job;
      }
    }
  }
}

// Of several sizes: jobs of every width end, whatever GPUs are down meanwhile.
TEST(GavelPlacements, EveryWidthEnds) {
  for (const std::string& placement : refusing_placements()) {
    for (const bool nested : {false, true}) {
      GavelOptions options;
      options.nested = nested;
      options.types = TypeRule::joint;
      SmallWorld world = scattered_world(placement, options);
      for (std::uint32_t gpus = 1; gpus <= 8; ++gpus) world.add(100 * gpus, gpus, 700);
      world.outages = {{NodeId(1), 500, 4000}};
      const RunResult result = world.run();
      expect_sound(world, result);
      EXPECT_EQ(result.metric(Metric::jobs_unfinished), 0) << placement;
    }
  }
}

}  // namespace
}  // namespace palstudy
