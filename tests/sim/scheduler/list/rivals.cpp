// SPDX-License-Identifier: MIT
// Tiresias' discretised two-dimensional LAS as whole runs of the engine, whole seconds being its boundaries.
#include <gtest/gtest.h>

#include <cmath>

#include "core/numbers.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Acts at every arrival and finish, and at whole seconds in between; a job that does not fit holds up no other.
SmallWorld event_world(const std::string& order) {
  SmallWorld world;
  world.order = order;
  world.engine.start = Start::event;
  world.engine.round_s = 1;
  world.engine.backfill = Backfill::greedy;
  return world;
}

SmallWorld las2d_world(double promote) {
  SmallWorld world = event_world("las2d");
  world.set_params = [=](ParamValues& params) {
    params.set("thresholds", std::string("100"));
    params.set("promote", promote);
  };
  return world;
}

using Reals = std::vector<double>;
using Counts = std::vector<std::uint32_t>;

/// Worked by hand, G = 4, one threshold of 100 GPU-seconds. Job 0 (2 GPUs) runs from 0, 1 (4 GPUs) does not fit at 10
/// and is passed over for 2 (2 GPUs) at 20. At 50 job 0 has 100 GPU-seconds and goes to queue 1, behind 1; 2 follows at
/// 70, and now 1 is alone in queue 0 and stops both. At 95 it has 25 x 4 = 100: queue 1 is 0 2 1, so 0 and 2 run. 2
/// ends at 145, 0 at 225, 1 has 5 s left.
TEST(Las2d, DemotesAtTheThresholdInGpuSeconds) {
  SmallWorld world = las2d_world(0);
  world.add(0, 2, 200);
  world.add(10, 4, 30);
  world.add(20, 2, 100);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, (Reals{225, 230, 145}));
  EXPECT_EQ(result.jobs.start_s, (Reals{0, 70, 20}));
  EXPECT_EQ(result.jobs.preemptions, (Counts{1, 1, 1}));
}

/// The same with promotion once a job has waited for as long as it has run: 0, stopped at 70 after 70 s, would be
/// promoted at 140, but runs again at 95. Checked with a program of its own.
TEST(Las2d, PromotesWhoHasWaitedAsLongAsItRan) {
  SmallWorld world = las2d_world(1);
  world.add(0, 2, 200);
  world.add(10, 4, 30);
  world.add(20, 2, 100);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, (Reals{230, 125, 150}));
  EXPECT_EQ(result.jobs.preemptions, (Counts{2, 1, 2}));
}

/// By the remaining time the job of 4 GPUs x 60 s goes before the one of 1 GPU x 100 s; by GPU-seconds, 240 against
/// 100, after it. Both are waited for by 4 GPUs x 10 s.
TEST(SrtfGpu, CountsGpus) {
  for (const bool gpus : {false, true}) {
    SmallWorld world = event_world(gpus ? "srtf-gpu" : "srtf");
    world.add(0, 4, 10);
    world.add(1, 4, 60);
    world.add(1, 1, 100);
    EXPECT_EQ(world.run().jobs.start_s, gpus ? (Reals{0, 110, 10}) : (Reals{0, 10, 70}));
  }
}

SmallWorld rho_world(double lease_s) {
  SmallWorld world = event_world("rho");
  world.set_params = [=](ParamValues& params) { params.set("lease_s", lease_s); };
  return world;
}

/// Worked by hand, G = 4, lease 1200 s. 0 (4 GPUs) has a lease until 1200. Then rho is 3000 / (3000 x 3.5) = 0.286 of
/// 0, 1700 / (600 x 1.864) = 1.520 of 1, 3400 / (2400 x 1.95) = 0.726 of 2, 2100 / (1200 x 4) = 0.438 of 3: 1 and 2 run
/// and 0 is stopped. 1 ends at 1800, but 2 has a lease until 2400 and 0 and 3 need all 4. At 2400 the largest rho is
/// 2's, 0.770, until its end at 3600; then 3 until 4800; 0 has a lease that is renewed at 6000 and ends at 6600.
TEST(RhoOrder, OffersOnlyWhatHasNoLease) {
  SmallWorld world = rho_world(1200);
  world.add(0, 4, 3000);
  world.add(100, 2, 600);
  world.add(200, 2, 2400);
  world.add(300, 4, 1200);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, (Reals{6600, 1800, 3600, 4800}));
  EXPECT_EQ(result.jobs.preemptions, (Counts{1, 0, 0, 0}));
}

SmallWorld random_rho_world(std::uint64_t seed, double lease_s) {
  SmallWorld world = rho_world(lease_s);
  world.engine.start = Start::round;
  world.engine.round_s = 30;
  world.nodes = 4;
  world.placement = seed % 2 == 0 ? "packed-sticky" : "pal";
  add_random_jobs(world, seed, 60, 2000, 400);
  return world;
}

/// A lease of one round has ended at every boundary, so the GPUs are offered to all at each, as without leases; an
/// endless one stops nobody; and the order matters at all.
TEST(RhoOrder, LeasesOfOneRoundAreNone) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const RunResult none = random_rho_world(seed, 0).run(), round = random_rho_world(seed, 30).run();
    EXPECT_EQ(none.jobs.finish_s, round.jobs.finish_s);
    EXPECT_EQ(none.jobs.preemptions, round.jobs.preemptions);
    EXPECT_GT(none.metric(Metric::preemptions), 0);
    EXPECT_EQ(random_rho_world(seed, infinity).run().metric(Metric::preemptions), 0);
    SmallWorld fifo = random_rho_world(seed, 0);
    fifo.order = "fifo";
    EXPECT_NE(fifo.run().jobs.finish_s, none.jobs.finish_s);
  }
}

/// Who has got GPUs is stopped when its lease has ended, at the earliest: every stop of a job has cost a whole lease of
/// holding GPUs, so there are at most (time held) / lease of them. (That longer leases stop fewer jobs is not true in
/// general: they change who runs.) A placement that moves jobs does not change that.
TEST(RhoOrder, EveryStopComesAfterAWholeLease) {
  for (const double lease_s : {30.0, 45.0, 120.0, 300.0}) {
    double stops = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const RunResult result = random_rho_world(seed, lease_s).run();
      for (std::size_t j = 0; j < result.jobs.exec_s.size(); ++j) {
        EXPECT_LE(result.jobs.preemptions[j], std::floor(result.jobs.exec_s[j] / lease_s + 1e-9))
            << "seed " << seed << ", lease " << lease_s << ", job " << j;
        stops += result.jobs.preemptions[j];
      }
    }
    EXPECT_GT(stops, 0) << "no job is stopped under leases of " << lease_s;
  }
}

/// Twins on a flat cluster are served one after the other by id, whatever their classes are called.
TEST(RhoOrder, ClassesThatAreAlikeAreServedAlike) {
  SmallWorld world = random_rho_world(2, 60);
  world.classes = {"A", "B"};
  SmallWorld renamed = world;
  for (Job& job : renamed.jobs) job.cls = ClassId(1);
  EXPECT_EQ(world.run().jobs.finish_s, renamed.run().jobs.finish_s);
}

/// 2 nodes of 4 GPUs. The first free GPUs: job 0 has 0-2, job 1 3 and 4, job 2 5-7. At 50 6 are free, 3 of each node: a
/// job of 4 takes them, but one of a model with a large tensor waits for a whole node, until job 1 ends at 60.
TEST(TiresiasPlacement, ConsolidatesModelsWithALargeTensor) {
  for (const double skew : {0.7, 0.1}) {
    SmallWorld world = event_world("fifo");
    world.nodes = 2;
    world.placement = "tiresias";
    world.model_use = {{0, 0, 0}, {0, 0, skew}};
    world.penalty = {1, 1, 1};
    world.add(0, 3, 50);
    world.add(0, 2, 60);
    world.add(0, 3, 40);
    world.add(1, 4, 10);
    world.jobs.back().model = 1;
    EXPECT_EQ(world.run().jobs.start_s.back(), skew > 0.3 ? 60 : 50);
  }
}

}  // namespace
}  // namespace palstudy
