// SPDX-License-Identifier: MIT
// Jobs that share nodes slow each other. Small examples by hand: rounds of 100 s, GPUs all alike, no penalty for
// distance, so that a job of s seconds of work takes s seconds alone.
#include "sim/effects/interference/neighbours.hpp"

#include <gtest/gtest.h>

#include "sim/expect_runs.hpp"
#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

/// Two nodes of 4 GPUs.
SmallWorld shared_nodes() {
  SmallWorld world;
  world.nodes = 2;
  world.penalty = {1, 1, 1};
  world.engine.round_s = 100;
  world.engine.backfill = Backfill::greedy;
  world.interference = {2, 4};
  return world;
}

// Two jobs of 2 GPUs on one node from 0 on: each goes at half its pace. The first has 300 s of work, done at 600. The
// second then has 700 of its 1000 left, and goes on alone: it ends at 1300. A job of one GPU neither slows nor is
// slowed.
TEST(Neighbours, OnANodeSlowEachOtherWhileBothAreThere) {
  SmallWorld world = shared_nodes();
  world.nodes = 1;
  world.add(0, 2, 300);
  world.add(0, 2, 1000);
  EXPECT_EQ(world.run().jobs.finish_s, (std::vector<double>{600, 1300}));
  world.jobs[0].gpus = 1;
  EXPECT_EQ(world.run().jobs.finish_s, (std::vector<double>{300, 1000}));
}

// Packed: the first job of 3 GPUs is on node 0, the second on node 1, and the third, of 2, takes what is left of both.
// It spans nodes and the others do not: all three suffer `intra`. Until 600 all go at half their pace: 300 s of the
// first and second are done, and 300 of the third.
TEST(Neighbours, AJobThatSpansNodesHasNeighboursOnEach) {
  SmallWorld world = shared_nodes();
  world.add(0, 3, 300);
  world.add(0, 3, 300);
  world.add(0, 2, 400);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{600, 600, 700}));
  EXPECT_EQ(result.jobs.penalty_mean[0], 2);
  EXPECT_DOUBLE_EQ(result.jobs.penalty_mean[2], (600.0 * 2 + 100) / 700);
}

// Two jobs that both span nodes share the card as well: `inter` and not `intra` counts, nor both. Two jobs of 1 GPU and
// the shares of 6 GPUs that are left: jobs of 3 on 2 + 1 GPUs each, at a quarter of their pace. A job that has but one
// of these GPUs, beside others elsewhere, spans nodes all the same.
TEST(Neighbours, WhoSpansNodesBothSharesTheCard) {
  Neighbours neighbours(3);
  const GpuSet first = {{NodeId(0), 0b0011}, {NodeId(1), 0b0001}}, second = {{NodeId(1), 0b0110}, {NodeId(2), 1}};
  const GpuSet third = {{NodeId(0), 0b1100}}, lone = {{NodeId(2), 0b1000}};
  const JobId a(7), b(3), c(5), d(1);
  neighbours.enter(a, first);
  EXPECT_EQ(neighbours.shared(a, first), Shared::nothing);
  neighbours.enter(c, third);
  neighbours.enter(d, lone);
  EXPECT_EQ(neighbours.shared(a, first), Shared::node);
  EXPECT_EQ(neighbours.shared(c, third), Shared::node);
  EXPECT_EQ(neighbours.shared(d, lone), Shared::nothing);
  neighbours.enter(b, second);
  EXPECT_EQ(neighbours.shared(a, first), Shared::network);
  EXPECT_EQ(neighbours.shared(b, second), Shared::network);
  EXPECT_EQ(neighbours.shared(c, third), Shared::node);
  std::vector<JobId> disturbed;
  neighbours.take_disturbed(disturbed);
  EXPECT_EQ(disturbed, (std::vector<JobId>{b, c, a}));
  neighbours.leave(a, first);
  EXPECT_EQ(neighbours.shared(b, second), Shared::nothing);
  neighbours.take_disturbed(disturbed);
  EXPECT_EQ(disturbed, (std::vector<JobId>{b, c}));
  neighbours.enter_part(d, lone);
  EXPECT_EQ(neighbours.shared(b, second), Shared::network);
  EXPECT_EQ(neighbours.shared_by_part(d, lone), Shared::network);
  neighbours.leave_part(d, lone);
  EXPECT_EQ(neighbours.shared(b, second), Shared::nothing);
}

// What a job suffers: the card before the node, where both are shared.
TEST(Neighbours, TheFactorIsThatOfWhatIsShared) {
  EXPECT_EQ(factor_of({2, 4}, Shared::nothing), 1);
  EXPECT_EQ(factor_of({2, 4}, Shared::node), 2);
  EXPECT_EQ(factor_of({2, 4}, Shared::network), 4);
}

/// What each job ought to have run at, second by second, told from the events alone: the slow twin.
std::vector<double> slow_penalties(const SmallWorld& world, const RunResult& result) {
  std::vector<GpuSet> held(world.jobs.size());
  std::vector<double> weighted(world.jobs.size(), 0), length(world.jobs.size(), 0);
  const auto& events = result.events;
  const auto factor = [&](std::size_t j) {
    double worst = 1;
    for (std::size_t other = 0; other < held.size(); ++other) {
      if (other == j || count(held[other]) < 2 || count(held[j]) < 2) continue;
      for (const NodeGpus& mine : held[j]) {
        for (const NodeGpus& theirs : held[other]) {
          if (mine.node != theirs.node) continue;
          const bool card = held[j].size() > 1 && held[other].size() > 1;
          worst = std::max(worst, card ? world.interference.inter : world.interference.intra);
        }
      }
    }
    return worst;
  };
  const auto boundary = [&](double time_s) { return std::ceil(time_s / world.engine.round_s) * world.engine.round_s; };
  for (std::size_t i = 0; i < events.size();) {
    const double now_s = boundary(events.time_s[i]);
    for (; i < events.size() && boundary(events.time_s[i]) == now_s; ++i) {
      GpuSet& set = held[events.job[i].index()];
      set.clear();
      for (std::uint32_t g = 0; g < events.gpu_count[i]; ++g) {
        const std::uint32_t gpu = events.gpus[events.gpu_begin[i] + g], node = gpu / world.gpus_per_node;
        if (set.empty() || set.back().node != NodeId(node)) set.push_back({NodeId(node), 0});
        set.back().mask |= GpuMask{1} << (gpu % world.gpus_per_node);
      }
    }
    const double next_s = i < events.size() ? boundary(events.time_s[i]) : now_s;
    for (std::size_t j = 0; j < held.size(); ++j) {
      if (held[j].empty()) continue;
      const double end_s = std::isnan(result.jobs.finish_s[j]) ? next_s : std::min(next_s, result.jobs.finish_s[j]);
      weighted[j] += factor(j) * (end_s - now_s);
      length[j] += end_s - now_s;
    }
  }
  for (std::size_t j = 0; j < weighted.size(); ++j) weighted[j] /= length[j];
  return weighted;
}

/// Random jobs on four partitions of one node each, most of them wider than that, all alike but for their lengths.
SmallWorld random_wide(std::uint64_t seed) {
  SmallWorld world = shared_nodes();
  world.nodes = world.partitions = 4;
  world.engine.start = seed % 3 == 0 ? Start::event : Start::round;
  world.interference = {1.3, 1.5};
  add_random_jobs(world, seed, 40, 4000, 900);
  for (Job& job : world.jobs) {
    if (job.gpus > 1) job.gpus = 2 + (job.gpus * 5 + static_cast<std::uint32_t>(job.id)) % 9;
  }
  world.measure.last = 39;
  return world;
}

// Jobs on several partitions have neighbours in each of them, and are neighbours of others and of each other: by the
// twin, which knows no partitions.
TEST(Neighbours, JobsOnSeveralPartitionsAreThoseOfTheSlowTwin) {
  int slowed = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = random_wide(seed);
    const RunResult result = world.run();
    expect_sound(world, result);
    world.engine.round_s = world.engine.start == Start::event ? 1e-3 : world.engine.round_s;  // the twin's resolution
    const auto expected = slow_penalties(world, result);
    for (std::size_t j = 0; j < world.jobs.size(); ++j) {
      EXPECT_NEAR(result.jobs.penalty_mean[j], expected[j], 1e-4) << "job " << j;
      slowed += expected[j] > 1 && result.jobs.partition[j] < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(slowed, 100) << "neighbours that never meet test nothing";
}

// Random runs with everything on: the factors that the engine keeps up to date are those of the twin; nothing else of
// the schedule is unsound; and looking at boundaries at which nothing can change changes nothing.
TEST(Neighbours, RandomRunsAreThoseOfTheSlowTwin) {
  int slowed = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = random_full_tenants(seed);
    world.penalty = {1, 1, 1};
    world.interference = {1.3, 1.5};
    const RunResult result = world.run();
    expect_sound(world, result);
    const auto expected = slow_penalties(world, result);
    for (std::size_t j = 0; j < world.jobs.size(); ++j) {
      EXPECT_NEAR(result.jobs.penalty_mean[j], expected[j], 1e-9) << "job " << j;
      slowed += expected[j] > 1 ? 1 : 0;
    }
    world.engine.visit_every_boundary = true;
    expect_same(result, world.run());
  }
  EXPECT_GT(slowed, 100) << "neighbours that never meet test nothing";
}

}  // namespace
}  // namespace palstudy
