// SPDX-License-Identifier: MIT
// Backfills with reservations: schedules worked out by hand, and what must hold of random ones.
#include "sim/scheduler/list/backfilling.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/saved_runs.hpp"
#include "sim/uneven_world.hpp"

namespace palstudy {
namespace {

/// One flat node; jobs start at once.
SmallWorld machine(std::uint32_t gpus, const std::string& backfill) {
  SmallWorld world;
  world.gpus_per_node = gpus;
  world.backfill = backfill;
  world.engine.backfill = Backfill::greedy;
  world.engine.start = Start::event;
  return world;
}

std::vector<double> starts(SmallWorld world) {
  world.measure.last = static_cast<std::int64_t>(world.jobs.size()) - 1;
  return world.run().jobs.start_s;
}

using Starts = std::vector<double>;

SmallWorld with_two_heads(const std::string& backfill) {
  SmallWorld world = machine(4, backfill);
  world.add(0, 3, 9), world.add(1, 2, 7), world.add(3, 2, 3), world.add(6, 1, 10), world.add(8, 1, 3);
  return world;
}

// At 3 job 2 needs 2 GPUs, 1 is free. The shadow of job 1 is 9, with 2 GPUs left over: job 3 takes one of them at 6 and
// delays job 2, which is not the head. At 9 job 2 is the head, its shadow 16: job 4 ends by then.
TEST(Backfilling, EasyKeepsGpusForTheHeadAlone) { EXPECT_EQ(starts(with_two_heads("easy")), (Starts{0, 9, 16, 6, 9})); }

// Jobs 1 and 2 have reservations at 9, job 3 would need a GPU from 6 to 16 and has to wait until 12; so has job 4.
TEST(Backfilling, ConservativeKeepsGpusForAll) {
  EXPECT_EQ(starts(with_two_heads("conservative")), (Starts{0, 9, 9, 12, 12}));
}

// The head leaves 2 GPUs over: job 2 takes them beyond the shadow at 10, job 3 finds none.
TEST(Backfilling, GpusThatAreLeftOverRunOut) {
  for (const char* backfill : {"easy", "conservative"}) {
    SmallWorld world = machine(10, backfill);
    world.add(0, 6, 10), world.add(1, 8, 10), world.add(2, 2, 20), world.add(3, 2, 20);
    EXPECT_EQ(starts(world), (Starts{0, 10, 2, 20})) << backfill;
  }
}

// Job 0 is expected until 10 and ends at 6; job 2 would have outlasted 10, job 3 does not.
TEST(Backfilling, AnEarlyEndBringsTheHeadForward) {
  for (const char* backfill : {"easy", "conservative"}) {
    SmallWorld world = machine(10, backfill);
    world.add(0, 6, 6), world.add(1, 8, 10), world.add(2, 4, 9), world.add(3, 4, 3);
    world.jobs[0].estimate_s = 10;
    EXPECT_EQ(starts(world), (Starts{0, 6, 16, 3})) << backfill;
  }
}

/// Two GPUs of slowdown 1.5 take job 0, which ends at 12 instead of 10; job 1 is promised 10.
SmallWorld overrun() {
  SmallWorld world = machine(4, "easy");
  world.slowdown_values.assign(4, 1.5);
  world.add(0, 2, 8), world.add(1, 4, 5);
  world.jobs[0].estimate_s = 10;
  world.measure.last = 1;
  return world;
}

TEST(Backfilling, AHeadThatStartsAfterItsPromiseIsCounted) {
  const RunResult result = overrun().run();
  EXPECT_EQ(result.jobs.start_s[1], 12);
  EXPECT_EQ(result.metric(Metric::reservation_violations), 1);
  EXPECT_EQ(result.metric(Metric::jobs_overrun_killed), 0);
}

// At 10.5 job 0 is expected until 70.5, so a job of 3 s is backfilled, runs 4.5 s and delays the head to 15.
TEST(Backfilling, ViolationsBreedViolations) {
  SmallWorld world = overrun();
  world.add(10.5, 2, 3);
  EXPECT_EQ(starts(world), (Starts{0, 15, 10.5}));
}

// Two nodes of 2 GPUs, of which one is down from 1 to 5: job 1 is planned behind job 0, at 30. When the node is back it
// starts, although no job has ended.
TEST(Backfilling, APlanIsMadeAgainWhenANodeIsBack) {
  SmallWorld world = machine(2, "conservative");
  world.nodes = 2;
  world.add(0, 2, 30), world.add(2, 2, 10);
  EXPECT_EQ(starts(world), (Starts{0, 2}));
  world.outages = {{NodeId(1), 1, 5}};
  EXPECT_EQ(starts(world), (Starts{0, 5}));
}

// A job of 3 s that comes at 8 would end at 11, after the shadow at 10. At 10 nothing ends and nobody comes, but job 0
// has outlived its time and is expected until 70: the job starts then, and delays the head to 14.5.
TEST(Backfilling, APlanIsMadeAgainWhenAnExpectedEndPasses) {
  SmallWorld world = overrun();
  world.add(8, 2, 3);
  EXPECT_EQ(starts(world), (Starts{0, 14.5, 10}));
}

// Job 0 is expected until 10 and runs until 20. Job 1 is promised 10 and job 2, which would delay it, 15. At 10 job 0
// is expected until 70: all is planned again, and job 2, which ends by then, starts at once.
TEST(Backfilling, ConservativePlansAllAgainWhenAJobOutlivesItsEstimate) {
  SmallWorld world = machine(4, "conservative");
  world.add(0, 2, 20), world.add(1, 4, 5), world.add(2, 2, 20);
  world.jobs[0].estimate_s = 10;
  EXPECT_EQ(starts(world), (Starts{0, 30, 10}));
}

TEST(Backfilling, AJobIsKilledWhenItsTimeIsOver) {
  SmallWorld world = overrun();
  world.engine.kills_overruns = true;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s[0], 10);
  EXPECT_EQ(result.jobs.status[0], JobStatus::killed);
  EXPECT_EQ(result.jobs.start_s[1], 10);
  EXPECT_EQ(result.jobs.finish_s[1], 15);  // killed as well: it would take 7.5 s
  EXPECT_EQ(result.metric(Metric::jobs_overrun_killed), 2);
  EXPECT_EQ(result.metric(Metric::reservation_violations), 0);
}

// Estimates times what is believed are upper bounds again: job 0 holds GPUs of 1.5, so that 15 is promised, and where
// there is one of 6 the class has 2.5 on average, so that 25 is. It ends at 12.
TEST(Backfilling, InflatedEstimatesKeepPromises) {
  for (const auto inflation : {EstimateInflation::class_mean, EstimateInflation::placement}) {
    SmallWorld world = overrun();
    const bool mean = inflation == EstimateInflation::class_mean;
    world.slowdown_values = mean ? std::vector{1.5, 1.5, 1.0, 6.0} : std::vector{1.5, 1.5, 1.0, 1.0};
    world.bins = BinRule{mean ? 3U : 2U, false};
    world.engine.inflation = inflation;
    const RunResult result = world.run();
    EXPECT_EQ(result.jobs.start_s[1], 12);
    EXPECT_EQ(result.metric(Metric::reservation_violations), 0);
    world.engine.inflation = EstimateInflation::none;
    EXPECT_EQ(world.run().metric(Metric::reservation_violations), 1);
  }
}

// Exact estimates times the believed slowdown of the GPUs are exact, whatever the median of the bins is: of four jobs
// of 100 s that on the slow GPU takes 150 s, and no job is killed. Where all GPUs are as slow all take 150 s.
TEST(Backfilling, ExactEstimatesTimesTheSlowdownKillNoJob) {
  for (const auto& slowdowns : {std::vector{1.5, 1.0, 1.0, 1.0}, std::vector{1.5, 1.5, 1.5, 1.5}}) {
    SmallWorld world = machine(4, "easy");
    world.slowdown_values = slowdowns;
    for (int job = 0; job < 4; ++job) world.add(0, 1, 100);
    world.measure.last = 3;
    world.engine.inflation = EstimateInflation::placement;
    world.engine.kills_overruns = true;
    const RunResult result = world.run();
    EXPECT_EQ(result.metric(Metric::jobs_overrun_killed), 0);
    EXPECT_EQ(*std::max_element(result.jobs.finish_s.begin(), result.jobs.finish_s.end()), 150);
    EXPECT_EQ(*std::min_element(result.jobs.finish_s.begin(), result.jobs.finish_s.end()), slowdowns[1] * 100);
  }
}

// GPUs a and b are fast, c and d take twice as long. Job 0 is on a and job 2 on c and d until 10, b is free from 2 on.
// The head, job 3, wants 2 GPUs: all four are free at 10, so by number job 4 takes b for 30 s, and the head gets a slow
// one. By bin a and b are kept: job 4 waits for a slow one, and the head runs 10 s instead of 20.
TEST(Backfilling, FastGpusAreKeptByBin) {
  SmallWorld world = machine(4, "easy");
  world.slowdown_values = {1, 1, 2, 2};
  world.bins.bins = 2;
  world.placement = "pal-sticky";
  world.add(0, 1, 10), world.add(0, 1, 2), world.add(0, 2, 5), world.add(3, 2, 10), world.add(4, 1, 30);
  world.jobs[2].estimate_s = 10;
  world.measure.last = 4;
  RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (Starts{0, 0, 0, 10, 4}));
  EXPECT_EQ(result.jobs.finish_s[3], 30);
  world.engine.reserves_bins = true;
  result = world.run();
  EXPECT_EQ(result.jobs.start_s, (Starts{0, 0, 0, 10, 10}));
  EXPECT_EQ(result.jobs.finish_s[3], 20);
}

// The fast GPUs a and b are held until 10, the slow c until 20. The head, job 3, has both fast ones kept, with none
// left over. Job 4 takes d at 2, for longer than until 10: that is none of those kept, so it need not wait.
TEST(Backfilling, ASlowGpuThatIsNotKeptIsTakenForLonger) {
  SmallWorld world = machine(4, "easy");
  world.slowdown_values = {1, 1, 2, 2};
  world.bins.bins = 2;
  world.placement = "pal-sticky";
  world.engine.reserves_bins = true;
  world.add(0, 1, 10), world.add(0, 1, 10), world.add(0, 1, 10), world.add(1, 2, 10), world.add(2, 1, 30);
  world.jobs[2].estimate_s = 20;
  world.measure.last = 4;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (Starts{0, 0, 0, 10, 2}));
  EXPECT_EQ(result.jobs.finish_s[3], 20);
}

// Three fast GPUs on one node, three slow ones on another. At 4 two fast ones and a slow one are free, the others will
// be at 10. Job 3 starts on a fast one. Job 4, of 5 GPUs, is promised those that are free at 10, of every bin and of
// both nodes, with none left over; so job 5, which would take one of them for 30 s, is taken back, and it alone.
TEST(Backfilling, OnlyTheLastStartIsTakenBack) {
  SmallWorld world = machine(3, "easy");
  world.nodes = 2;
  world.slowdown_values = {1, 1, 1, 2, 2, 2};
  world.bins.bins = 2;
  world.penalty = {1, 1, 1};
  world.placement = "pal-sticky";
  world.engine.reserves_bins = true;
  world.add(0, 1, 10), world.add(0, 2, 2), world.add(0, 2, 5);
  world.add(4, 1, 30), world.add(4, 5, 10), world.add(4, 1, 30);
  world.jobs[2].estimate_s = 10;
  EXPECT_EQ(starts(world), (Starts{0, 0, 0, 4, 10, 30}));
}

/// Random jobs on a flat cluster, in whole seconds.
SmallWorld flat_world(std::uint64_t seed, const std::string& backfill, Start start) {
  SmallWorld world;
  world.nodes = 2;
  world.penalty = {1, 1, 1};
  world.backfill = backfill;
  world.engine.backfill = Backfill::greedy;
  world.engine.start = start;
  world.engine.round_s = 20;
  add_random_jobs(world, seed, 40, 1500, 200);
  world.measure.last = 39;
  return world;
}

// With exact estimates on a flat cluster nobody starts after a promise: not the head under EASY, no job at all under
// conservative backfilling. Estimates that are too long do not change that.
TEST(Backfilling, PromisesAreKeptWhereEstimatesHold) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    for (const char* backfill : {"easy", "conservative"}) {
      for (const Start start : {Start::round, Start::event}) {
        SmallWorld world = flat_world(seed, backfill, start);
        EXPECT_EQ(world.run().metric(Metric::reservation_violations), 0) << seed << backfill;
        for (std::size_t j = 0; j < world.jobs.size(); ++j) {
          world.jobs[j].estimate_s = world.jobs[j].ideal_s() + static_cast<double>(j * 37 % 400);
        }
        EXPECT_EQ(world.run().metric(Metric::reservation_violations), 0) << seed << backfill;
      }
    }
  }
}

// The first job that has to wait under FIFO is the first head: before it nothing was filled in, and with exact
// estimates what is filled in behind it does not delay it.
TEST(Backfilling, TheHeadIsNeverLaterThanUnderFifo) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SmallWorld easy = flat_world(seed, "easy", Start::event), fifo = flat_world(seed, "", Start::event);
    fifo.engine.backfill = Backfill::none;
    const Starts of_easy = starts(easy), of_fifo = starts(fifo);
    for (std::size_t j = 0; j < of_easy.size(); ++j) {
      if (of_fifo[j] == fifo.jobs[j].submit_s) continue;
      EXPECT_LE(of_easy[j], of_fifo[j]) << seed;
      break;
    }
  }
}

// A job that levelling moves to another partition leaves no reservation behind: whether both partitions are on one rank
// or each has its own must not show.
TEST(Backfilling, AReservationEndsWhereItsJobMovesOut) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SmallWorld world = uneven_world(seed);
    world.partitions = 4;
    world.placement = "packed-sticky";
    world.backfill = "conservative";
    world.engine.backfill = Backfill::greedy;
    world.engine.round_s = 30;
    world.routing = "hash";
    world.routing_options = {1, 8, 3};
    add_random_jobs(world, seed, 60, 200, 150);
    for (Job& job : world.jobs) {
      job.gpus = std::min(job.gpus, 4u);
      job.estimate_s = job.ideal_s() * static_cast<double>(1 + job.id % 3);
    }
    world.measure.last = 59;
    Shelf together, apart;
    const auto one_rank = attempt(world, 1, together), four_ranks = attempt(world, 4, apart);
    ASSERT_TRUE(one_rank && four_ranks);
    expect_all_same(*one_rank, *four_ranks);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace palstudy
