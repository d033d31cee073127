// SPDX-License-Identifier: MIT
// What must be true of every run, on random workloads under every order, placement and engine option.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "small_world.hpp"

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

void expect_same(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.jobs.finish_s, b.jobs.finish_s);
  EXPECT_EQ(a.jobs.start_s, b.jobs.start_s);
  EXPECT_EQ(a.events.time_s, b.events.time_s);
  EXPECT_EQ(a.events.kind, b.events.kind);
  EXPECT_EQ(a.events.gpus, b.events.gpus);
  EXPECT_EQ(a.rounds.time_s, b.rounds.time_s);
  EXPECT_EQ(a.metrics, b.metrics);
}

/// Follows the events: no GPU is held twice, a job holds as many as it asked for, what is launched was not running on
/// the same set, and whoever stops or finishes was running.
void expect_sound(const SmallWorld& world, const RunResult& result) {
  std::map<std::uint32_t, std::set<std::uint32_t>> held;  // by job
  std::size_t i = 0;
  while (i < result.events.size()) {
    const double now = result.events.time_s[i];
    for (; i < result.events.size() && result.events.time_s[i] == now; ++i) {
      const std::uint32_t job = result.events.job[i].value;
      if (result.events.kind[i] != EventKind::launch) {
        ASSERT_EQ(held.erase(job), 1U);
        continue;
      }
      const auto* first = result.events.gpus.data() + result.events.gpu_begin[i];
      std::set<std::uint32_t> gpus(first, first + result.events.gpu_count[i]);
      ASSERT_EQ(gpus.size(), world.jobs[job].gpus);
      ASSERT_NE(held[job], gpus) << "a launch that changes nothing";
      held[job] = gpus;
    }
    std::set<std::uint32_t> all;
    std::size_t sum = 0;
    for (const auto& [job, gpus] : held) {
      all.insert(gpus.begin(), gpus.end());
      sum += gpus.size();
    }
    ASSERT_EQ(all.size(), sum) << "a GPU is held twice at " << now;
  }
}

// Boundaries at which nothing can change are left out; looking at them all must give the same run, to the last bit.
// And every run is sound, and finishes everybody.
TEST(Invariants, SkippedBoundariesChangeNothing) {
  std::uint64_t seed = 0;
  for (const Setting& setting : all_settings()) {
    // A random non-sticky placement draws anew at every boundary by definition.
    for (int trial = 0; trial < 2; ++trial) {
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
