// SPDX-License-Identifier: MIT
// What must be true of every run, on random workloads under every order, placement and engine option.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "repetitions.hpp"
#include "sim/expect_runs.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

struct Setting {
  std::string order, placement;
  Completion completion;
  Start start;
  Backfill backfill;
  StickyVictims victims;
};

std::vector<Setting> all_settings() {
  std::vector<Setting> settings;
  for (const auto& order : orders().names()) {
    for (const auto& placement : placements().names()) {
      for (const auto completion : {Completion::exact, Completion::round}) {
        for (const auto start : {Start::round, Start::event}) {
          for (const auto backfill : {Backfill::none, Backfill::greedy}) {
            for (const auto victims : {StickyVictims::give_back, StickyVictims::stay_stopped}) {
              settings.push_back({order, placement, completion, start, backfill, victims});
            }
          }
        }
      }
    }
  }
  return settings;
}

SmallWorld random_world(const Setting& setting, std::uint64_t seed) {
  SmallWorld world;
  world.nodes = 4;
  world.classes = {"A", "B"};
  RandomStream random(seed, Purpose::cluster_draw, 0);
  for (int i = 0; i < 32; ++i) world.slowdown_values.push_back(0.9 + 0.05 * random.below(8));
  world.bins.bins = 3;
  world.order = setting.order;
  world.placement = setting.placement;
  world.engine.round_s = 30;
  world.engine.completion = setting.completion;
  world.engine.start = setting.start;
  world.engine.backfill = setting.backfill;
  world.engine.sticky_victims = setting.victims;
  world.engine.starvation_s = 900;
  // Only policies that know cabinets, or weigh what a migration costs, look at these.
  if (seed % 2 == 0) {
    world.nodes_per_cabinet = 2;
    world.penalty = {1.0, 1.3, 1.7};
    world.engine.migration_s = seed % 4 == 0 ? 20 : 5;  // under a round: who moves at each must still get on
  }
  world.measure.last = 59;
  add_random_jobs(world, seed, 60, 1500, 400);
  return world;
}

// Boundaries at which nothing can change are left out; looking at them all must give the same run, to the last bit.
// And every run is sound, and finishes all jobs.
TEST(Invariants, SkippedBoundariesChangeNothing) {
  std::uint64_t seed = 0;
  for (const Setting& setting : all_settings()) {
    // A random non-sticky placement draws new GPUs at every boundary by definition.
    for (unsigned trial = 0; trial < repetitions(2); ++trial) {
      SmallWorld world = random_world(setting, ++seed);
      SCOPED_TRACE(fmt::format("{} {} {} {} {} {} seed {}", setting.order, setting.placement,
                               setting.completion == Completion::round, setting.start == Start::event,
                               setting.backfill == Backfill::greedy, setting.victims == StickyVictims::stay_stopped,
                               seed));
      const RunResult skipping = world.run();
      world.engine.visit_every_boundary = true;
      expect_same(skipping, world.run());
      expect_sound(world, skipping);
      EXPECT_EQ(skipping.metric(Metric::jobs_unfinished), 0);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

// A job that ran in one piece held its GPUs for ideal x slowdown x penalty seconds.
TEST(Invariants, AJobHoldsItsGpusForItsWorkAtItsRate) {
  for (std::uint64_t seed = 100; seed < 110; ++seed) {
    const Setting setting{"fifo",       "packed-sticky", Completion::exact,
                          Start::event, Backfill::none,  StickyVictims::give_back};
    const SmallWorld world = random_world(setting, seed);
    const RunResult result = world.run();
    for (std::size_t j = 0; j < result.jobs.size(); ++j) {
      if (result.jobs.preemptions[j] > 0) continue;  // starved jobs stop others
      const double rate = result.jobs.slowdown_mean[j] * result.jobs.penalty_mean[j];
      EXPECT_NEAR(result.jobs.exec_s[j], world.jobs[j].ideal_s() * rate, 1e-6 * result.jobs.exec_s[j]);
    }
  }
}

}  // namespace
}  // namespace palstudy
