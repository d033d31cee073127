// SPDX-License-Identifier: MIT
// A run that is saved at some instant and restored elsewhere goes on as if nothing had been: to the last bit, whatever
// the policies, and whoever has the partitions before and after.
#include "sim/state/checkpoints.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "repetitions.hpp"
#include "sim/saved_runs.hpp"
#include "sim/small_world.hpp"
#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

/// 32 GPUs in two classes under bursts of jobs, some wider than a partition; what `seed` does not draw, the policies
/// do.
SmallWorld random_world(std::uint64_t seed, std::uint32_t partitions) {
  SmallWorld world;
  world.nodes = 8;
  world.nodes_per_cabinet = 3;
  world.classes = {"A", "B"};
  RandomStream random(seed, Purpose::cluster_draw, 0);
  for (int i = 0; i < 64; ++i) world.slowdown_values.push_back(0.9 + 0.05 * random.below(8));
  world.penalty = {1.0, 1.3, 1.7};
  world.bins.bins = 3;
  world.partitions = partitions;
  world.engine.round_s = 30;
  world.engine.completion = seed % 2 == 0 ? Completion::round : Completion::exact;
  world.engine.start = seed % 5 == 0 ? Start::event : Start::round;
  world.engine.backfill = seed % 3 == 0 ? Backfill::greedy : Backfill::none;
  world.engine.sticky_victims = seed % 4 == 0 ? StickyVictims::stay_stopped : StickyVictims::give_back;
  world.engine.migration_s = seed % 7 == 0 ? 12 : 0;
  if (seed % 6 == 0) world.engine.starvation_s = 300;
  world.routing_options = {1 + static_cast<std::uint32_t>(seed % 3), 2, 3};
  world.measure.first = seed % 2 == 0 ? 0 : 5;
  world.measure.last = 44;
  add_random_jobs(world, seed, 50, 900, 300);
  return world;
}

/// Stops the run at up to three instants drawn at random, each time with another number of ranks, and goes on.
void stop_and_go(const SmallWorld& world, std::uint64_t seed, const RunResult& whole) {
  RandomStream random(seed, Purpose::job_shape, 7);
  Shelf shelf;
  const std::uint64_t first = 1 + random.below(static_cast<std::uint32_t>(whole.counts.boundaries));
  for (int stop = 0;; ++stop) {
    shelf.at = stop == 0 ? first : stop < 3 ? 1 + random.below(40) : 0;
    const int ranks = 1 + static_cast<int>(random.below(4));
    shelf.of_rank = world.partitions == 1 ? 0 : static_cast<int>(random.below(static_cast<std::uint32_t>(ranks)));
    if (const auto result = attempt(world, ranks, shelf)) {
      EXPECT_EQ(shelf.refused, 0);
      return expect_all_same(*result, whole);
    }
    ASSERT_TRUE(shelf.state);
    ASSERT_EQ(shelf.state->partitions.size(), world.partitions);
    // What a partition has cost is carried on: ranks share the partitions by it.
    for (SavedPartition& saved : shelf.state->partitions) {
      EXPECT_GE(saved.cost_s, 1000 * stop);
      saved.cost_s = 1000 * (stop + 1);
    }
  }
}

// Tenants whose jobs fail: who is stopped for another goes on from its checkpoint, before and after the restart.
TEST(Checkpoints, TenantsWithFailuresThatAreStoppedAndRestoredEndAsTheSame) {
  std::size_t rows = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SmallWorld world = random_full_tenants(seed);
    if (seed % 2 == 0) world.interference = {1.3, 1.5};
    if (seed % 4 == 0) world.tenants->dedicated = world.tenants->defragment = world.placement != "pal-sticky";
    world.failures =
        "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1\n"
        "(attempts that fail),,share,,,,,,60\n(jobs that are killed),,share,,,,,,10\n"
        "Job preempted,IF,scheduler,no,no,1,2,3,9\nbad input,U,job,yes,yes,0.5,2,3,5\nlink,IF,place,no,no,2,5,9,8\n";
    world.failure_options.checkpoint_s = seed % 3 == 0 ? std::numeric_limits<double>::infinity() : 40;
    world.failure_options.kills_within = seed % 2 == 0;
    world.faults = seed % 2 == 0 ? Faults::node : Faults::job;
    const RunResult whole = world.run();
    rows += whole.failures.size();
    stop_and_go(world, seed, whole);
  }
  EXPECT_GT(rows, 500U);
}

// Every order, placement and routing policy there is, with one partition and with several, of which the ranks of each
// attempt share again; with wide jobs, levelling, starvation, migration, backfill and both kinds of completion and
// start.
TEST(Checkpoints, ARunThatIsStoppedAndRestoredEndsAsTheSame) {
  std::uint64_t seed = 0;
  for (const auto& order : orders().names()) {
    for (const auto& placement : placements().names()) {
      for (const std::uint32_t partitions : {1u, 2u, 8u}) {
        SmallWorld world = random_world(++seed, partitions);
        world.order = order;
        world.placement = placement;
        world.routing = routings().names()[seed % routings().names().size()];
        SCOPED_TRACE(fmt::format("seed {} {} {} {} P {}", seed, order, placement, world.routing, partitions));
        const RunResult whole = world.run();
        for (std::uint64_t draw = 0; draw < repetitions(4); ++draw) stop_and_go(world, seed * 16 + draw, whole);
      }
    }
  }
}

// Quotas in use, delays by cause, rungs, parts of gangs and who backs off are kept too.
TEST(Checkpoints, TenantsGoOnAsTheyWere) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = random_full_tenants(seed);
    if (seed % 3 == 0) world.interference = {1.3, 1.5};
    if (seed % 4 == 0) world.tenants->dedicated = world.tenants->defragment = world.placement != "pal-sticky";
    const RunResult whole = world.run();
    ASSERT_EQ(whole.delays.size(), world.jobs.size());
    for (std::uint64_t draw = 0; draw < 4; ++draw) stop_and_go(world, seed * 16 + draw, whole);
  }
}

// Saving reads the state and changes none of it: a run that is saved at every instant is the one that never is.
class AtEveryInstant final : public Checkpoints {
 public:
  int saves = 0;
  CheckpointRequest request() override { return CheckpointRequest::save; }
  void save(const RunState&) override { ++saves; }
  std::optional<std::vector<double>> saved_costs() override { return std::nullopt; }
  RunState read(const std::vector<PartitionId>&) override { return {}; }
  void unusable(const std::string&) override {}
};

TEST(Checkpoints, SavingChangesNothing) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SmallWorld world = random_world(seed, seed % 2 == 0 ? 4 : 1);
    world.order = orders().names()[seed % orders().names().size()];
    world.placement = placements().names()[seed % placements().names().size()];
    SCOPED_TRACE(seed);
    const RunResult whole = world.run();
    AtEveryInstant checkpoints;
    LocalExchange alone;
    const auto saved = world.with_world(
        [&](const World& of, const Policies& policies) { return simulate(of, policies, alone, checkpoints); });
    ASSERT_TRUE(saved);
    expect_all_same(*saved, whole);
    EXPECT_EQ(static_cast<std::uint64_t>(checkpoints.saves) + 1, whole.counts.boundaries);  // not when it has ended
  }
}

// The same where saving goes through what could be taken twice: GPUs that dedicated nodes keep, nodes that are off,
// down or drain, and what a predictor has learnt. (No request is heard between boundaries, so the saves are not
// counted.)
TEST(Checkpoints, SavingTakesNothingASecondTime) {
  std::vector<SmallWorld> worlds;
  for (const std::uint64_t seed : {2U, 4U, 8U}) {
    worlds.push_back(random_full_tenants(seed));
    worlds.back().placement = "packed-sticky";
    worlds.back().tenants->dedicated = worlds.back().tenants->defragment = true;
  }
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SmallWorld world = random_world(seed, 1);
    for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 4U);
    world.order = "qssf";
    world.predictor = "ewma";
    worlds.push_back(world);
    worlds.back().outages = {{NodeId(0), 45, 400}, {NodeId(3), 100, 610, true}, {NodeId(5), 333, 700}};
    world.power.emplace();
    world.power->off = "timer";
    world.power->rule.idle_s = 60;
    world.power->boot_s = world.power->rule.boot_s = 45;
    world.power->stop_s = 10;
    worlds.push_back(world);
  }
  double waited_for_power_s = 0;
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    SCOPED_TRACE(w);
    const RunResult whole = worlds[w].run();
    for (const double wait_s : whole.power_wait_s) waited_for_power_s += wait_s;
    AtEveryInstant checkpoints;
    LocalExchange alone;
    const auto saved = worlds[w].with_world(
        [&](const World& of, const Policies& policies) { return simulate(of, policies, alone, checkpoints); });
    ASSERT_TRUE(saved);
    expect_all_same(*saved, whole);
    EXPECT_GT(checkpoints.saves, 10);
  }
  EXPECT_GT(waited_for_power_s, 0);
}

// The bytes of a partition do not tell who had it: two ranks and one leave the same states, but for what they cost.
TEST(Checkpoints, AStateDoesNotTellTheRanks) {
  const SmallWorld world = random_world(11, 8);
  Shelf one, three;
  one.at = three.at = 12;
  EXPECT_FALSE(attempt(world, 1, one));
  EXPECT_FALSE(attempt(world, 3, three));
  ASSERT_TRUE(one.state && three.state);
  EXPECT_EQ(one.state->shared, three.state->shared);
  for (std::size_t p = 0; p < 8; ++p) EXPECT_EQ(one.state->partitions[p].bytes, three.state->partitions[p].bytes);
  EXPECT_EQ(one.state->instants, 12u);
}

// Ranks share partitions by what each has cost so far, also where one has cost nothing: the first weighs more than the
// others together, which by their equal sizes would be two and two.
TEST(Checkpoints, RanksTakeUpPartitionsByTheirCost) {
  const SmallWorld world = random_world(11, 4);
  Shelf shelf;
  shelf.at = 12;
  EXPECT_FALSE(attempt(world, 2, shelf));
  ASSERT_TRUE(shelf.state);
  for (std::size_t p = 0; p < 4; ++p) shelf.state->partitions[p].cost_s = p == 0 ? 3 : p == 3 ? 0 : 1;
  shelf.at = 0;
  EXPECT_TRUE(attempt(world, 2, shelf));
  std::ranges::sort(shelf.shares);
  EXPECT_EQ(shelf.shares, (std::vector<std::size_t>{1, 3}));
}

// What cannot be restored on one rank is used by none: the run begins again, and that is told.
TEST(Checkpoints, WhatCannotBeRestoredIsLeft) {
  const SmallWorld world = random_world(3, 4);
  const RunResult whole = world.run();
  for (const bool shared : {true, false}) {
    for (const std::size_t keep : {std::size_t{0}, std::size_t{9}, std::size_t{100}}) {
      Shelf shelf;
      shelf.at = 10;
      EXPECT_FALSE(attempt(world, 2, shelf));
      ASSERT_TRUE(shelf.state);
      std::string& bytes = shared ? shelf.state->shared : shelf.state->partitions[2].bytes;
      bytes.resize(keep);
      shelf.at = 0;
      const auto result = attempt(world, 2, shelf);
      ASSERT_TRUE(result);
      expect_all_same(*result, whole);
      EXPECT_GE(shelf.refused, 1);
    }
  }
}

// A run without end (jobs of LAS that pay more for every turn than a round lasts) can be stopped all the same.
TEST(Checkpoints, ARunWithoutEndStops) {
  SmallWorld world;
  world.nodes = 1;
  world.order = "las";
  world.placement = "random-nonsticky";
  world.engine.round_s = 10;
  world.engine.migration_s = 20;
  for (int i = 0; i < 4; ++i) world.add(0, 3, 1000);
  world.measure.last = 3;
  Shelf shelf;
  shelf.at = 500;
  EXPECT_FALSE(attempt(world, 1, shelf));
  EXPECT_EQ(shelf.state->instants, 500u);
  EXPECT_FALSE(attempt(world, 2, shelf));
  EXPECT_EQ(shelf.state->instants, 1000u);
}

/// Has a state to go on from, all of which it gives to whoever asks.
class FromState final : public Checkpoints {
 public:
  explicit FromState(RunState state) : state_(std::move(state)) {}
  int refused = 0;
  CheckpointRequest request() override { return CheckpointRequest::none; }
  void save(const RunState&) override {}
  std::optional<std::vector<double>> saved_costs() override { return std::vector<double>(4, 1.0); }
  RunState read(const std::vector<PartitionId>&) override { return state_; }
  void unusable(const std::string&) override { ++refused; }

 private:
  RunState state_;
};

// A state without one of its partitions is refused, and the run begins again. One that has more than are asked for is
// used: what is not a partition of the run is left.
TEST(Checkpoints, AStateHasAllPartitionsThatAreAskedFor) {
  const SmallWorld world = random_world(3, 4);
  const RunResult whole = world.run();
  Shelf shelf;
  shelf.at = 10;
  EXPECT_FALSE(attempt(world, 1, shelf));
  ASSERT_TRUE(shelf.state);
  RunState more = *shelf.state, fewer = *shelf.state;
  more.partitions.push_back({PartitionId(4), 0, "of no partition"});
  fewer.partitions.erase(fewer.partitions.begin() + 2);
  for (const bool complete : {true, false}) {
    FromState checkpoints(complete ? more : fewer);
    LocalExchange alone;
    const auto result = world.with_world(
        [&](const World& of, const Policies& policies) { return simulate(of, policies, alone, checkpoints); });
    ASSERT_TRUE(result);
    expect_all_same(*result, whole);
    EXPECT_EQ(checkpoints.refused, complete ? 0 : 1);
  }
}

}  // namespace
}  // namespace palstudy
