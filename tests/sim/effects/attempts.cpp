// SPDX-License-Identifier: MIT
// Attempts that fail: by hand, against a run without failures, and what must be true of any.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "core/csv.hpp"
#include "core/numbers.hpp"
#include "sim/expect_runs.hpp"
#include "sim/failure_tables.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// One job of 1,000 s on two GPUs, rounds of 100 s; an attempt whose work is done before it would fail passes.
SmallWorld one_job() {
  SmallWorld world;
  world.engine.round_s = 100;
  world.measure.last = 0;
  world.add(0, 2, 1000);
  world.failures = fails_always;
  world.failure_options.late_fails = false;
  world.failure_options.checkpoint_s = 250;
  return world;
}

// By hand. Attempt 1 runs from 0 and fails at 600 s; its last checkpoint was at 500 s, so that 100 s on two GPUs are
// lost. It starts again at the boundary at 600 s with 500 s of its work done, and the rest takes it 500 s, less than
// the 600 s after which attempt 2 would fail: it passes at 1,100 s.
TEST(Attempts, AFailureUndoesTheWorkSinceTheCheckpoint) {
  const RunResult result = one_job().run();
  EXPECT_EQ(result.jobs.finish_s[0], 1100);
  EXPECT_EQ(result.jobs.exec_s[0], 1100);
  EXPECT_EQ(result.jobs.attempts[0], 2U);
  EXPECT_EQ(result.jobs.status[0], JobStatus::passed);
  EXPECT_EQ(result.jobs.preemptions[0], 0U);
  EXPECT_EQ(result.jobs.migrations[0], 0U);
  ASSERT_EQ(result.failures.size(), 1U);
  const FailedAttempt failed = result.failures.at(0);
  EXPECT_EQ(failed.attempt, 1U);
  EXPECT_EQ(failed.time_s, 600);
  EXPECT_EQ(failed.run_s, 600);
  EXPECT_EQ(failed.lost_s, 200);
  EXPECT_EQ(failed.node, -1);
  EXPECT_EQ(result.failure_reasons, (std::vector<std::string>{"bad input"}));
  EXPECT_EQ(result.events.kind,
            (std::vector{EventKind::launch, EventKind::stop, EventKind::launch, EventKind::finish}));
  EXPECT_EQ(result.events.time_s, (std::vector<double>{0, 600, 600, 1100}));
  EXPECT_DOUBLE_EQ(result.metric(Metric::effective_fraction), 1000.0 * 2 / (1100.0 * 4));
}

// Without loss it takes the 1,000 s that it would take without failures, in two attempts.
TEST(Attempts, WithCheckpointsAllTheTimeNothingIsLost) {
  SmallWorld world = one_job();
  world.failure_options.checkpoint_s = 0;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s[0], 1000);
  EXPECT_EQ(result.failures.lost_s, (std::vector<double>{0}));
}

// Without checkpoints it begins again four times (three retries) and never gets beyond 600 s: unsuccessful at 2,400 s.
TEST(Attempts, WithoutCheckpointsAJobIsGivenUp) {
  SmallWorld world = one_job();
  world.failure_options.checkpoint_s = infinity;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s[0], 2400);
  EXPECT_EQ(result.jobs.attempts[0], 4U);
  EXPECT_EQ(result.jobs.status[0], JobStatus::unsuccessful);
  EXPECT_EQ(result.failures.time_s, (std::vector<double>{600, 1200, 1800, 2400}));
  EXPECT_EQ(result.failures.lost_s, (std::vector<double>(4, 1200)));
  EXPECT_EQ(result.metric(Metric::effective_fraction), 0);
}

// 500 s to the one checkpoint that counts, and one retry: 1,200 s on two GPUs, all of which are lost with the job.
TEST(Attempts, WhatAJobKeptIsLostWhenItIsGivenUp) {
  SmallWorld world = one_job();
  world.jobs[0].iterations = 5000;
  world.failure_options.retries = 1;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s[0], 1200);
  EXPECT_EQ(result.failures.lost_s, (std::vector<double>{200, 2200}));
}

// By hand: 500 s of work, and every attempt would fail after 600 s. The first one fails as its work is done, at 500 s,
// and its last second counts as not saved, since otherwise nothing would be left to fail in; so the others have one
// second each, from the next boundary on. Given up at 701 s with the 503 s on two GPUs that it held. Where work is
// counted at boundaries it is the last round instead of the last second.
TEST(Attempts, WhoWouldFailLaterFailsAtTheEnd) {
  SmallWorld world = one_job();
  world.jobs[0].iterations = 500;
  EXPECT_EQ(world.run().jobs.status[0], JobStatus::passed);
  world.failure_options.late_fails = true;
  const RunResult exact = world.run();
  EXPECT_EQ(exact.jobs.status[0], JobStatus::unsuccessful);
  EXPECT_EQ(exact.failures.time_s, (std::vector<double>{500, 501, 601, 701}));
  EXPECT_EQ(exact.failures.lost_s, (std::vector<double>{2, 2, 2, 1000}));
  world.engine.completion = Completion::round;
  const RunResult rounds = world.run();
  EXPECT_EQ(rounds.failures.time_s, (std::vector<double>{500, 600, 700, 800}));
  EXPECT_EQ(rounds.failures.lost_s, (std::vector<double>{200, 200, 200, 1000}));
  world.failure_options.checkpoint_s = 0;
  EXPECT_EQ(world.run().failures.lost_s, (std::vector<double>{200, 200, 200, 1000}));
}

// A job that is killed (all that do not fail are) within its work ends before that is done, somewhere that is drawn for
// it, on all policies alike; else, as traces tell it, at its end.
TEST(Attempts, KilledJobsEndWithinTheirWorkIfAsked) {
  SmallWorld world;
  world.engine.round_s = 100;
  world.measure.last = 199;
  for (int i = 0; i < 200; ++i) world.add(0, 1, 1000);
  world.failures = failure_head +
                   "(attempts that fail),,share,,,,,,0\n(jobs that are killed),,share,,,,,,100\n"
                   "bad input,U,job,yes,yes,10,10,10,1\n";
  const RunResult at_end = world.run();
  EXPECT_EQ(at_end.jobs.exec_s, std::vector<double>(200, 1000));
  world.failure_options.kills_within = true;
  const RunResult within = world.run();
  double sum = 0;
  for (const double exec_s : within.jobs.exec_s) {
    EXPECT_GT(exec_s, 0);
    EXPECT_LT(exec_s, 1000);
    sum += exec_s;
  }
  EXPECT_NEAR(sum / 200, 500, 3 * 1000 / std::sqrt(12.0 * 200));
  EXPECT_EQ(within.jobs.status, std::vector<JobStatus>(200, JobStatus::killed));
  EXPECT_EQ(within.failures.size(), 0U);
  world.placement = "random-sticky";
  EXPECT_EQ(world.run().jobs.exec_s, within.jobs.exec_s);
}

// The run on one GPU shows the failure before the job holds any GPU: nothing of the cluster is used, and the two
// attempts that one retry allows cost 600 s on one GPU each. Adaptive, there is no second one. A shorter run shows
// nothing.
TEST(Attempts, ValidationTurnsJobsAway) {
  SmallWorld world = one_job();
  world.add(0, 4, 50);
  world.jobs[1].id = 1;
  world.measure.last = 1;
  world.failure_options.retries = 1;
  world.failure_options.validate_s = 700;
  const RunResult result = world.run();
  EXPECT_TRUE(std::isnan(result.jobs.start_s[0]));
  EXPECT_EQ(result.jobs.finish_s[0], 0);
  EXPECT_EQ(result.jobs.exec_s[0], 0);
  EXPECT_EQ(result.jobs.attempts[0], 2U);
  EXPECT_EQ(result.jobs.status[0], JobStatus::unsuccessful);
  EXPECT_EQ(result.failures.lost_s, (std::vector<double>(4, 600)));
  EXPECT_EQ(result.events.size(), 0U);
  world.failure_options.adaptive_retry = true;
  EXPECT_EQ(world.run().failures.size(), 2U);
  world.failure_options.validate_s = 500;
  EXPECT_EQ(world.run().failures.time_s, (std::vector<double>{600}));
}

// Rates, times and sets are those of the plain engine where no attempt fails; to the last bit.
TEST(Attempts, NoFailuresAreThePlainEngine) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SmallWorld world;
    world.nodes = 4;
    world.engine.round_s = 30;
    world.measure.last = 59;
    world.placement = seed % 2 == 0 ? "pal" : "packed-sticky";
    world.order = seed % 3 == 0 ? "las" : "fifo";
    world.partitions = seed > 4 ? 2 : 1;
    add_random_jobs(world, seed, 60, 2000, 400);
    for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 8U);
    const RunResult plain = world.run();
    world.failures = fails_often;
    world.failure_options.scale = 0;
    const RunResult result = world.run();
    expect_same(plain, result);
    EXPECT_EQ(plain.jobs.attempts, result.jobs.attempts);
    EXPECT_EQ(plain.jobs.preemptions, result.jobs.preemptions);
    EXPECT_EQ(result.failures.size(), 0U);
    EXPECT_TRUE(plain.jobs.status.empty());
    EXPECT_EQ(std::count(result.jobs.status.begin(), result.jobs.status.end(), JobStatus::unsuccessful), 0);
  }
}

SmallWorld failing_world(std::uint64_t seed) {
  SmallWorld world;
  world.nodes = 4;
  world.engine.round_s = 30;
  world.penalty = {1, 1, 1};
  world.measure.last = 119;
  add_random_jobs(world, seed, 120, 6000, 900);
  for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 8U);
  world.failures = fails_often;
  world.failure_options.checkpoint_s = seed % 4 == 0 ? 0 : seed % 4 == 1 ? infinity : 100;
  world.failure_options.late_fails = seed % 2 == 1;
  world.failure_options.seed = seed;
  return world;
}

// On GPUs of slowdown 1 whoever passes has held its GPUs for as long as its work takes and for what failures undid,
// and no longer: no work is lost otherwise, none is done twice. Of who is given up, all that it held is lost. Whatever
// stops, moves or places jobs.
TEST(Attempts, TimeHeldIsWorkAndWhatWasLost) {
  std::uint64_t seed = 0;
  std::size_t failed = 0, given_up = 0;
  for (const char* order : {"fifo", "las", "srtf"}) {
    for (const char* placement : {"packed-sticky", "packed-nonsticky", "pal", "random-nonsticky"}) {
      for (const Completion completion : {Completion::exact, Completion::round}) {
        SmallWorld world = failing_world(++seed);
        world.order = order;
        world.placement = placement;
        world.engine.completion = completion;
        world.engine.backfill = seed % 3 == 0 ? Backfill::greedy : Backfill::none;
        const bool events = seed % 5 == 0 && completion == Completion::exact;
        world.engine.start = events ? Start::event : Start::round;
        const RunResult result = world.run();
        expect_sound(world, result);
        std::map<std::uint32_t, double> lost;
        for (std::size_t i = 0; i < result.failures.size(); ++i) {
          const FailedAttempt row = result.failures.at(i);
          lost[row.job.value] += row.lost_s;
          EXPECT_GE(row.lost_s, -1e-6);
        }
        failed += result.failures.size();
        for (std::uint32_t j = 0; j < result.jobs.size(); ++j) {
          const Job& job = world.jobs[j];
          const double held = result.jobs.exec_s[j] * job.gpus;
          ASSERT_EQ(result.jobs.finished[j], 1);
          const bool passed = result.jobs.status[j] != JobStatus::unsuccessful;
          given_up += passed ? 0 : 1;
          // Completions at boundaries hold the GPUs for up to a round longer.
          const double slack = passed && completion == Completion::round ? job.gpus * world.engine.round_s : 0;
          const double expected = passed ? job.ideal_s() * job.gpus + lost[j] : lost[j];
          EXPECT_GE(held, expected - 1e-6) << order << ' ' << placement << " job " << j;
          EXPECT_LE(held, expected + slack + 1e-6) << order << ' ' << placement << " job " << j;
        }
      }
    }
  }
  EXPECT_GT(failed, 500U);
  EXPECT_GT(given_up, 20U);
}

/// Job, attempt, reason and run time of every failure, by job and attempt.
std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int32_t, double>> failures_of(const RunResult& result) {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int32_t, double>> all;
  for (std::size_t i = 0; i < result.failures.size(); ++i) {
    const FailedAttempt row = result.failures.at(i);
    all.emplace_back(row.job.value, row.attempt, row.reason, std::round(row.run_s * 1e6));
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Where all GPUs are alike and nothing is lost, every policy meets the same failures after the same run time, however
// it stops and moves jobs.
TEST(Attempts, EveryPolicyMeetsTheSameFailures) {
  SmallWorld world = failing_world(8);
  const auto first = failures_of(world.run());
  EXPECT_GT(first.size(), 30U);
  for (const auto& [order, placement] : {std::pair{"fifo", "random-sticky"}, std::pair{"las", "packed-sticky"},
                                         std::pair{"srtf", "pal"}, std::pair{"fifo", "random-nonsticky"}}) {
    world.order = order;
    world.placement = placement;
    EXPECT_EQ(failures_of(world.run()), first) << order << ' ' << placement;
  }
}

// A job on all four GPUs of a node fails by the link: the GPU at fault is the first at which the factors, summed from
// GPU 0 on, exceed the number drawn for the attempt times their sum. Over 40 jobs more than one GPU is at fault.
TEST(Attempts, TheGpuAtFaultIsDrawnByItsFactor) {
  SmallWorld world;
  world.faults = Faults::gpu;
  world.failures = failure_head +
                   "(attempts that fail),,share,,,,,,100\n(jobs that are killed),,share,,,,,,0\n"
                   "link,IF,place,no,no,1,5,9,8\n";
  world.failure_options.seed = 5;
  world.measure.last = 39;
  for (int j = 0; j < 40; ++j) world.add(0, 4, 100000);
  const RunResult result = world.run();
  const Topology topology(std::vector<NodeGroup>{{1, 4}}, 16);
  const FaultyPlaces places(topology, Slowdowns::flat({"A"}, 4), Faults::gpu, false, 5);
  const AttemptModel model(failure_table(CsvTable::parse(world.failures, "table")), world.failure_options);
  std::set<std::int64_t> at_fault;
  ASSERT_GT(result.failures.size(), 40U);
  for (std::size_t i = 0; i < result.failures.size(); ++i) {
    const FailedAttempt row = result.failures.at(i);
    double sum = 0;
    for (std::uint32_t g = 0; g < 4; ++g) sum += places.factor(g);
    const double drawn = model.place_of_fault(world.jobs[row.job.index()], row.attempt) * sum;
    std::int64_t expected = 0;
    for (double up_to = places.factor(0); up_to <= drawn && expected < 3;) {
      up_to += places.factor(static_cast<std::uint32_t>(++expected));
    }
    EXPECT_EQ(row.gpu, expected) << "job " << row.job.value << ", attempt " << row.attempt;
    at_fault.insert(row.gpu);
  }
  EXPECT_GT(at_fault.size(), 1U);
}

// By hand, with rounds of 250 s. The job fails at 600 s with the work of its checkpoint at 500 s, and the makespan is
// that of another job, 550 s, which passes before it would fail; both are seen at 750 s. What was done for nothing from
// 500 s to 550 s held GPUs, and all that was saved is work.
TEST(Attempts, WhatWasUndoneIsNoWorkUpToAMakespanBeforeTheFailure) {
  SmallWorld world = one_job();
  world.engine.round_s = 250;
  world.add(0, 2, 550);
  world.measure.first = world.measure.last = 1;
  const RunResult result = world.run();
  EXPECT_EQ(result.metric(Metric::makespan_s), 550);
  EXPECT_DOUBLE_EQ(result.metric(Metric::alloc_fraction), 1);
  EXPECT_DOUBLE_EQ(result.metric(Metric::busy_fraction), 0.5);
  EXPECT_DOUBLE_EQ(result.metric(Metric::effective_fraction), (500.0 + 550) / (2 * 550));
}

// Attempts fail by the link or by what is of the job, in turn: only the link has a node at fault, and a GPU where GPUs
// have faults of their own, also where the attempt before failed by it.
TEST(Attempts, OnlyFaultsOfPlacesHaveAPlace) {
  std::size_t after_a_link = 0;
  for (const Faults faults : {Faults::gpu, Faults::node}) {
    SmallWorld world;
    world.faults = faults;
    world.failures = failure_head +
                     "(attempts that fail),,share,,,,,,100\n(jobs that are killed),,share,,,,,,0\n"
                     "odd,AE,job,no,no,1,5,9,8\nlink,IF,place,no,no,1,5,9,8\n";
    world.failure_options.seed = 5;
    world.measure.last = 99;
    for (int j = 0; j < 100; ++j) world.add(0, 4, 100000);
    const RunResult result = world.run();
    std::map<std::uint32_t, bool> link_before;  // by job
    for (std::size_t i = 0; i < result.failures.size(); ++i) {
      const FailedAttempt row = result.failures.at(i);
      const bool link = result.failure_reasons[static_cast<std::size_t>(row.reason)] == "link";
      EXPECT_EQ(row.node, link ? 0 : -1) << i;
      EXPECT_EQ(row.gpu >= 0, link && faults == Faults::gpu) << i;
      after_a_link += !link && link_before[row.job.value] ? 1 : 0;
      link_before[row.job.value] = link;
    }
  }
  EXPECT_GT(after_a_link, 0U);
}

}  // namespace
}  // namespace palstudy
