// SPDX-License-Identifier: MIT
// Jobs wider than any partition whose attempts fail: by hand, beside the same jobs on one partition, on several ranks,
// and stopped and restored.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "core/csv.hpp"
#include "core/numbers.hpp"
#include "sim/failure_tables.hpp"
#include "sim/saved_runs.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// One job of 1,000 s on both of two partitions of four GPUs, rounds of 100 s; checkpoints every 250 s, and an attempt
/// whose work is done before it would fail passes.
SmallWorld one_wide_job() {
  SmallWorld world;
  world.nodes = 2;
  world.partitions = 2;
  world.penalty = {1, 1, 1};
  world.engine.round_s = 100;
  world.measure.last = 0;
  world.add(0, 8, 1000);
  world.failures = fails_always;
  world.failure_options.late_fails = false;
  world.failure_options.checkpoint_s = 250;
  return world;
}

// By hand. Attempt 1 fails at 600 s and keeps the 500 s up to its last checkpoint: 100 s on eight GPUs are lost. It has
// its GPUs again at once, on which a migration takes 50 s, and the rest 500 s: it passes at 1,150 s, before attempt 2
// would fail. Work of 8 x 1,000 GPU-seconds was kept of the 8 x 1,150 up to the end, and every node was held all the
// time.
TEST(WideFailures, AFailureUndoesTheWorkSinceTheCheckpoint) {
  SmallWorld world = one_wide_job();
  world.engine.migration_s = 50;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.partition[0], -1);
  EXPECT_EQ(result.jobs.start_s[0], 0);
  EXPECT_EQ(result.jobs.finish_s[0], 1150);
  EXPECT_EQ(result.jobs.exec_s[0], 1150);
  EXPECT_EQ(result.jobs.attempts[0], 2U);
  EXPECT_EQ(result.jobs.status[0], JobStatus::passed);
  EXPECT_EQ(result.jobs.preemptions[0], 0U);
  EXPECT_EQ(result.jobs.migrations[0], 0U);
  ASSERT_EQ(result.failures.size(), 1U);
  const FailedAttempt failed = result.failures.at(0);
  EXPECT_EQ(failed.job, JobId(0));
  EXPECT_EQ(failed.attempt, 1U);
  EXPECT_EQ(failed.gpus, 8U);
  EXPECT_EQ(failed.node, -1);
  EXPECT_EQ(failed.time_s, 600);
  EXPECT_EQ(failed.run_s, 600);
  EXPECT_EQ(failed.lost_s, 800);
  EXPECT_EQ(result.events.kind,
            (std::vector{EventKind::launch, EventKind::stop, EventKind::launch, EventKind::finish}));
  EXPECT_EQ(result.events.time_s, (std::vector<double>{0, 600, 600, 1150}));
  EXPECT_EQ(result.events.gpu_count, (std::vector<std::uint32_t>{8, 0, 8, 0}));
  EXPECT_EQ(result.node_busy_s, (std::vector<double>{4 * 1150, 4 * 1150}));
  EXPECT_DOUBLE_EQ(result.metric(Metric::effective_fraction), 1000.0 / 1150);
  expect_sound(world, result);
}

// The job is given up at 600 s with all that it held, and the job that has waited for a partition gets the GPUs then.
TEST(WideFailures, AJobThatIsGivenUpGivesItsGpusBack) {
  SmallWorld world = one_wide_job();
  world.failure_options.retries = 0;
  world.add(50, 4, 100);
  world.measure.last = 1;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.status[0], JobStatus::unsuccessful);
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{600, 700}));
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 600}));
  EXPECT_EQ(result.failures.lost_s, (std::vector<double>{4800}));
}

// The first of two wide jobs fails at 600 s and is before the second in the order of arrival, so that it has the GPUs
// again; the second waits until it has passed at 1,100 s. All the time both want their GPUs. Under `las` the second
// goes first at 600 s, since the first has held GPUs before, and the first has its rest of 500 s from 900 s on.
TEST(WideFailures, AJobThatIsTriedAgainHasItsPlaceInTheQueue) {
  SmallWorld world = one_wide_job();
  world.add(100, 6, 300);
  world.measure.last = 1;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 1100}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{1100, 1400}));
  EXPECT_EQ(result.rounds.time_s, (std::vector<double>{0, 100, 1100, 1400}));
  EXPECT_EQ(result.rounds.demand_gpus, (std::vector<std::uint64_t>{8, 14, 6, 0}));
  world.order = "las";
  EXPECT_EQ(world.run().jobs.start_s, (std::vector<double>{0, 600}));
  EXPECT_EQ(world.run().jobs.finish_s, (std::vector<double>{1400, 900}));
}

// A wide job is given up at 600 s, and holds nothing from then on. The next one waits from 700 s for a job that has one
// partition up to 1,100 s, and reserves both after a round, so that the small job of 900 s starts behind it.
TEST(WideFailures, OthersReserveWhatAFailedJobHeld) {
  SmallWorld world = one_wide_job();
  world.failure_options.retries = 0;
  world.routing_options.drain_rounds = 1;
  world.measure.last = 3;
  world.add(550, 4, 500);
  world.add(700, 8, 100);
  world.add(900, 4, 500);
  EXPECT_EQ(world.run().jobs.start_s, (std::vector<double>{0, 600, 1100, 1200}));
}

// Validation for 700 s shows the failures of both attempts that one retry allows: the job is over when it arrives.
// Validation for 500 s shows none: attempt 1 fails at 600 s on the cluster, and attempt 2 has 500 s left and passes.
TEST(WideFailures, ValidationTurnsJobsAway) {
  SmallWorld world = one_wide_job();
  world.failure_options.retries = 1;
  world.failure_options.validate_s = 700;
  const RunResult result = world.run();
  EXPECT_TRUE(std::isnan(result.jobs.start_s[0]));
  EXPECT_EQ(result.jobs.finish_s[0], 0);
  EXPECT_EQ(result.jobs.exec_s[0], 0);
  EXPECT_EQ(result.jobs.attempts[0], 2U);
  EXPECT_EQ(result.jobs.status[0], JobStatus::unsuccessful);
  EXPECT_EQ(result.failures.lost_s, (std::vector<double>{600, 600}));
  EXPECT_EQ(result.failures.gpus, (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(result.events.size(), 0U);
  EXPECT_EQ(result.metric(Metric::jobs_unfinished), 0);
  world.failure_options.validate_s = 500;
  EXPECT_EQ(world.run().failures.time_s, (std::vector<double>{600}));
}

// The GPUs of a job that is turned away at 100 s count as wanted up to the next boundary, whether or not that is
// visited for another reason: 12 GPUs are wanted on 8 for 100 of the 1,000 s of the other job, whose mean contention
// is 1.05.
TEST(WideFailures, AJobThatIsTurnedAwayWantsNoGpusAtTheNextBoundary) {
  SmallWorld world = one_wide_job();
  world.jobs[0].gpus = 4;
  world.add(100, 8, 1000);
  world.failures =
      "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1,gpus_8\n"
      "(attempts that fail),,share,,,,,,0,100\n(jobs that are killed),,share,,,,,,0,0\n"
      "bad input,U,job,yes,yes,10,10,10,1,1\n";
  world.failure_options.validate_s = 700;
  for (const bool every : {false, true}) {
    world.engine.visit_every_boundary = every;
    const RunResult result = world.run();
    EXPECT_EQ(result.jobs.status, (std::vector{JobStatus::passed, JobStatus::unsuccessful}));
    EXPECT_DOUBLE_EQ(result.metric(Metric::rho_p95), 1 / 1.05) << every;
  }
}

/// 32 GPUs under jobs each of which wants more than half of them, so that one runs at a time: all of them on GPUs of
/// unequal speed, or some of them on equal ones.
SmallWorld one_at_a_time(std::uint64_t seed, bool all_gpus) {
  SmallWorld world;
  world.nodes = 8;
  world.engine.round_s = 30;
  world.penalty = {1, 1.25, 1.5};
  world.measure.last = 39;
  RandomStream random(seed, Purpose::job_shape, 1);
  for (int g = 0; all_gpus && g < 32; ++g) world.slowdown_values.push_back(1 + 0.05 * random.below(8));
  double submit_s = 0;
  for (int j = 0; j < 40; ++j) {
    submit_s += random.below(500);
    world.add(submit_s, all_gpus ? 32 : 17 + random.below(16), 20 + random.below(700));
  }
  world.failures = fails_often;
  world.failure_options.seed = seed;
  world.failure_options.checkpoint_s = std::array{0.0, 100.0, infinity}[seed % 3];
  world.failure_options.late_fails = seed % 2 == 0;
  world.failure_options.validate_s = seed % 4 == 0 ? 90 : 0;
  world.failure_options.adaptive_retry = seed % 5 == 0;
  world.failure_options.kills_within = seed % 5 == 1;
  world.engine.completion = seed % 4 < 2 ? Completion::exact : Completion::round;
  world.engine.start = seed % 7 == 0 && world.engine.completion == Completion::exact ? Start::event : Start::round;
  world.engine.backfill = seed % 3 == 1 ? Backfill::greedy : Backfill::none;
  world.engine.migration_s = seed % 3 == 2 ? 17 : 0;
  return world;
}

void expect_same_failures(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.failures.job, b.failures.job);
  EXPECT_EQ(a.failures.attempt, b.failures.attempt);
  EXPECT_EQ(a.failures.reason, b.failures.reason);
  EXPECT_EQ(a.failures.gpus, b.failures.gpus);
  EXPECT_EQ(a.failures.node, b.failures.node);
  EXPECT_EQ(a.failures.gpu, b.failures.gpu);
  EXPECT_EQ(bits(a.failures.time_s), bits(b.failures.time_s));
  EXPECT_EQ(bits(a.failures.run_s), bits(b.failures.run_s));
  EXPECT_EQ(bits(a.failures.lost_s), bits(b.failures.lost_s));
  EXPECT_EQ(a.jobs.status, b.jobs.status);
  EXPECT_EQ(a.jobs.attempts, b.jobs.attempts);
  EXPECT_EQ(bits(a.jobs.start_s), bits(b.jobs.start_s));
  EXPECT_EQ(bits(a.jobs.finish_s), bits(b.jobs.finish_s));
  EXPECT_EQ(bits(a.jobs.exec_s), bits(b.jobs.exec_s));
  EXPECT_EQ(bits(a.jobs.slowdown_mean), bits(b.jobs.slowdown_mean));
  EXPECT_EQ(bits(a.jobs.penalty_mean), bits(b.jobs.penalty_mean));
  EXPECT_EQ(a.jobs.preemptions, b.jobs.preemptions);
  EXPECT_EQ(a.jobs.migrations, b.jobs.migrations);
  EXPECT_EQ(a.events.time_s, b.events.time_s);
  EXPECT_EQ(a.events.kind, b.events.kind);
  EXPECT_EQ(a.events.job, b.events.job);
  EXPECT_NEAR(a.metric(Metric::effective_fraction), b.metric(Metric::effective_fraction), 1e-12);
}

// Where one job runs at a time the rules of jobs on several partitions and of others lead to the same: on 2 and 4
// partitions every attempt fails as on one, at the same time, by the same reason and place, with the same loss.
TEST(WideFailures, AreThoseOfTheSameJobsOnOnePartition) {
  std::size_t rows = 0, placed = 0, turned_away = 0, given_up = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SmallWorld world = one_at_a_time(seed, seed % 2 == 1);
    // Which GPUs some of them are depends on the partitions.
    world.faults = seed % 2 == 0 ? Faults::job : seed % 4 == 1 ? Faults::node : Faults::gpu;
    world.slow_faults = seed % 3 == 0;
    const RunResult one = world.run();
    EXPECT_EQ(one.metric(Metric::jobs_unfinished), 0);
    for (const std::uint32_t partitions : {2U, 4U}) {
      SCOPED_TRACE(fmt::format("seed {}, {} partitions", seed, partitions));
      world.partitions = partitions;
      const RunResult several = world.run();
      EXPECT_EQ(several.jobs.partition, std::vector<std::int32_t>(40, -1));
      expect_same_failures(several, one);
      expect_sound(world, several);
      if (HasFailure()) return;
    }
    rows += one.failures.size();
    for (std::size_t i = 0; i < one.failures.size(); ++i) {
      placed += one.failures.node[i] >= 0 ? 1 : 0;
      turned_away += one.failures.gpus[i] == 0 ? 1 : 0;
    }
    given_up +=
        static_cast<std::size_t>(std::count(one.jobs.status.begin(), one.jobs.status.end(), JobStatus::unsuccessful));
  }
  EXPECT_GT(rows, 1000U);
  EXPECT_GT(placed, 100U);
  EXPECT_GT(turned_away, 100U);
  EXPECT_GT(given_up, 50U);
}

/// Eight nodes of four GPUs in 2, 4 or 8 partitions under jobs of all widths, which fail, also by the place.
SmallWorld failing_mix(std::uint64_t seed, int jobs) {
  SmallWorld world;
  world.nodes = 8;
  world.nodes_per_cabinet = 3;
  RandomStream random(seed, Purpose::cluster_draw, 0);
  for (int g = 0; g < 32; ++g) world.slowdown_values.push_back(0.9 + 0.05 * random.below(8));
  world.penalty = {1.0, 1.3, 1.7};
  world.bins.bins = 3;
  world.engine.round_s = 30;
  world.engine.completion = seed % 2 == 0 ? Completion::exact : Completion::round;
  world.engine.start = seed % 6 == 0 ? Start::event : Start::round;
  world.engine.backfill = seed % 3 == 0 ? Backfill::greedy : Backfill::none;
  world.engine.migration_s = seed % 4 == 0 ? 11 : 0;
  world.partitions = std::array{2U, 4U, 8U}[seed % 3];
  world.order = std::array{"fifo", "las", "srtf"}[seed / 2 % 3];
  world.placement = seed % 2 == 0 ? "pal" : "packed-sticky";
  world.routing_options = {1 + static_cast<std::uint32_t>(seed % 3), 2, 3};
  world.measure.last = jobs - 1;
  add_random_jobs(world, seed, jobs, 40.0 * jobs, 400);
  world.failures = fails_often;
  world.faults = std::array{Faults::job, Faults::gpu, Faults::node, Faults::gpu}[seed % 4];
  world.failure_options.seed = seed;
  world.failure_options.checkpoint_s = std::array{40.0, 0.0, infinity, 70.0}[seed % 4];
  world.failure_options.validate_s = seed % 3 == 1 ? 60 : 0;
  world.failure_options.late_fails = seed % 5 != 0;
  return world;
}

std::size_t wide_failures(const RunResult& result) {
  std::size_t rows = 0;
  for (const JobId job : result.failures.job) rows += result.jobs.partition[job.index()] == -1 ? 1 : 0;
  return rows;
}

// Whoever passes has held its GPUs for its work and for what failures undid; of who is given up, all is lost; and no
// two jobs have one GPU. On GPUs of slowdown 1, so that work is time.
TEST(WideFailures, TimeHeldIsWorkAndWhatWasLost) {
  std::size_t rows = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = failing_mix(seed, 60);
    world.slowdown_values.clear();
    world.penalty = {1, 1, 1};
    world.engine.migration_s = 0;
    const RunResult result = world.run();
    expect_sound(world, result);
    EXPECT_EQ(result.metric(Metric::jobs_unfinished), 0);
    std::map<std::uint32_t, double> lost;
    for (std::size_t i = 0; i < result.failures.size(); ++i) {
      const FailedAttempt row = result.failures.at(i);
      if (row.gpus > 0) lost[row.job.value] += row.lost_s;
    }
    for (std::uint32_t j = 0; j < result.jobs.size(); ++j) {
      const Job& job = world.jobs[j];
      const double held = result.jobs.exec_s[j] * job.gpus;
      const bool passed = result.jobs.status[j] != JobStatus::unsuccessful;
      const double slack = passed && world.engine.completion == Completion::round ? job.gpus * world.engine.round_s : 0;
      const double expected = passed ? job.ideal_s() * job.gpus + lost[j] : lost[j];
      EXPECT_GE(held, expected - 1e-6) << j;
      EXPECT_LE(held, expected + slack + 1e-6) << j;
    }
    rows += wide_failures(result);
  }
  EXPECT_GT(rows, 100U);
}

// However many ranks share the partitions, and whether boundaries at which nothing can change are visited: the same,
// the places at fault included.
TEST(WideFailures, DoNotDependOnTheRanks) {
  std::size_t rows = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SmallWorld world = failing_mix(seed, 40);
    const RunResult alone = world.run();
    rows += wide_failures(alone);
    for (const int ranks : {1, 2, 3, 7}) {
      SCOPED_TRACE(fmt::format("seed {}, {} ranks", seed, ranks));
      Shelf never;
      const auto team = attempt(world, ranks, never);
      ASSERT_TRUE(team);
      expect_all_same(*team, alone);
      EXPECT_EQ(team->failures.node, alone.failures.node);
      EXPECT_EQ(team->failures.run_s, alone.failures.run_s);
    }
    SCOPED_TRACE(fmt::format("seed {}, every boundary", seed));
    world.engine.visit_every_boundary = true;
    expect_same(world.run(), alone);
  }
  EXPECT_GT(rows, 100U);
}

// A run that is stopped at any instant and goes on, on other ranks, ends as one that never stopped.
TEST(WideFailures, GoOnFromACheckpoint) {
  std::size_t rows = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const SmallWorld world = failing_mix(seed, 14);
    const RunResult whole = world.run();
    rows += wide_failures(whole);
    expect_goes_on(world, seed, whole);
    if (HasFailure()) return;
  }
  EXPECT_GT(rows, 20U);
}

// A job on both partitions fails by the link: the GPU at fault is the first at which the factors, summed from GPU 0 of
// the cluster on, exceed the number drawn for the attempt times their sum. GPUs of both partitions are at fault.
TEST(WideFailures, TheGpuAtFaultIsDrawnAmongAllParts) {
  SmallWorld world = one_wide_job();
  world.failures = failure_head +
                   "(attempts that fail),,share,,,,,,100\n(jobs that are killed),,share,,,,,,0\n"
                   "link,IF,place,no,no,1,5,9,8\n";
  world.faults = Faults::gpu;
  world.failure_options.seed = 5;
  world.measure.last = 19;
  for (int j = 1; j < 20; ++j) world.add(0, 8, 100000);
  const RunResult result = world.run();
  const Topology topology(std::vector<NodeGroup>{{2, 4}}, 16);
  const FaultyPlaces places(topology, Slowdowns::flat({"A"}, 8), Faults::gpu, false, 5);
  const AttemptModel model(failure_table(CsvTable::parse(world.failures, "table")), world.failure_options);
  std::map<std::int64_t, int> of_node;
  ASSERT_GT(result.failures.size(), 20U);
  for (std::size_t i = 0; i < result.failures.size(); ++i) {
    const FailedAttempt row = result.failures.at(i);
    double sum = 0;
    for (std::uint32_t g = 0; g < 8; ++g) sum += places.factor(g);
    const double drawn = model.place_of_fault(world.jobs[row.job.index()], row.attempt) * sum;
    std::int64_t expected = 0;
    for (double up_to = places.factor(0); up_to <= drawn && expected < 7;) {
      up_to += places.factor(static_cast<std::uint32_t>(++expected));
    }
    EXPECT_EQ(row.gpu, expected);
    EXPECT_EQ(row.node, expected / 4);
    ++of_node[row.node];
  }
  EXPECT_EQ(of_node.size(), 2U);
}

}  // namespace
}  // namespace palstudy
