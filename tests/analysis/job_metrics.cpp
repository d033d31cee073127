// SPDX-License-Identifier: MIT
#include "analysis/job_metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/job_groups.hpp"
#include "analysis/means_of_jobs.hpp"
#include "core/numbers.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

std::vector<JobFacts> facts_of(const SmallWorld& world, const RunResult& result) {
  std::vector<JobFacts> facts;
  for (std::size_t j = 0; j < result.jobs.size(); ++j) {
    const Job& job = world.jobs[j];
    facts.push_back({job.submit_s, result.jobs.finish_s[j], result.jobs.exec_s[j], job.ideal_s(),
                     static_cast<double>(job.gpus), result.jobs.slowdown_mean[j], result.jobs.penalty_mean[j],
                     result.jobs.preemptions[j], result.jobs.migrations[j], result.jobs.measured[j] != 0});
  }
  return facts;
}

RunFacts run_of(const SmallWorld& world, const RunResult& result) {
  return {static_cast<double>(world.nodes * world.gpus_per_node),
          world.engine.start == Start::event ? 0 : world.engine.round_s,
          world.engine.migration_s,
          result.metric(Metric::alloc_fraction),
          result.metric(Metric::busy_fraction),
          result.metric(Metric::effective_fraction)};
}

SmallWorld busy_world(Start start) {
  SmallWorld world;
  world.nodes = 4;
  world.engine.round_s = 60;
  world.engine.start = start;
  world.engine.migration_s = 5;
  world.order = "las";
  world.placement = "pal";
  world.classes = {"A", "B"};
  for (std::size_t i = 0; i < 32; ++i) world.slowdown_values.push_back(1 + 0.05 * static_cast<double>(i * 7 % 16));
  add_random_jobs(world, 3, 120, 20000, 2000);
  world.measure.first = 20;
  world.measure.last = 99;
  return world;
}

// The engine's own metrics of the whole run are those that are made again from its rows, finish-time fairness included:
// the contention that a job met follows from when the others came and went.
TEST(JobMetrics, OfAllJobsAreThoseOfTheRun) {
  for (const Start start : {Start::round, Start::event}) {
    const SmallWorld world = busy_world(start);
    const RunResult result = world.run();
    const RunFacts run = run_of(world, result);
    auto jobs = facts_of(world, result);
    add_contention(jobs, run);
    const auto again = job_metrics(jobs, run, held_sums(jobs));
    for (std::size_t m = 0; m < metric_count; ++m) {
      const std::string name(metric_infos[m].name);
      if (metric_infos[m].traits.of_whole_run || metric_infos[m].use != MetricUse::always) continue;
      EXPECT_NEAR(again.at(name), result.metrics[m], 1e-9 * std::abs(result.metrics[m])) << name;
    }
  }
}

// Worked by hand on 4 GPUs: job 0 stays for 6600 s with 16200 / 6600 = 2.4545 jobs on average and wants all GPUs, so an
// equal share takes 3000 x 2.4545 s and rho is 0.8963; that of 1 (2 GPUs, 600 s, until 1800) is 1700 / (600 x 1.9118)
// = 1.4821.
TEST(JobMetrics, FinishTimeFairnessIsOfAnEqualShare) {
  std::vector<JobFacts> jobs = {{.submit_s = 0, .finish_s = 6600, .ideal_s = 3000, .gpus = 4},
                                {.submit_s = 100, .finish_s = 1800, .ideal_s = 600, .gpus = 2},
                                {.submit_s = 200, .finish_s = 3600, .ideal_s = 2400, .gpus = 2},
                                {.submit_s = 300, .finish_s = 4800, .ideal_s = 1200, .gpus = 4}};
  for (JobFacts& job : jobs) job.measured = true;
  const RunFacts run{.gpus = 4};
  add_contention(jobs, run);
  const auto metrics = job_metrics(jobs, run, held_sums(jobs));
  EXPECT_NEAR(jobs[0].rho, 0.8963, 5e-5);
  EXPECT_NEAR(metrics.at("rho_max"), 1.4821, 5e-5);
  EXPECT_NEAR(metrics.at("rho_mean"), (0.8963 + 1.4821 + 0.8234 + 1.2228) / 4, 5e-5);
}

// The fractions of the classes add up to the run's, and the causes of any group to 1.
TEST(JobMetrics, OfGroupsAddUp) {
  const SmallWorld world = busy_world(Start::round);
  const RunResult result = world.run();
  const RunFacts run = run_of(world, result);
  auto jobs = facts_of(world, result);
  add_contention(jobs, run);
  std::vector<JobFacts> of_class[2];
  for (std::size_t j = 0; j < jobs.size(); ++j) of_class[world.jobs[j].cls.index()].push_back(jobs[j]);
  std::map<std::string, double> sums;
  for (const auto& group : of_class) {
    const auto metrics = job_metrics(group, run, held_sums(jobs));
    for (const char* name : {"alloc_fraction", "busy_fraction", "effective_fraction", "migrations"}) {
      sums[name] += metrics.at(name);
    }
    EXPECT_NEAR(metrics.at("share_work") + metrics.at("share_variability") + metrics.at("share_locality") +
                    metrics.at("share_migration") + metrics.at("share_waiting"),
                1, 1e-12);
  }
  EXPECT_NEAR(sums["alloc_fraction"], result.metric(Metric::alloc_fraction), 1e-12);
  EXPECT_NEAR(sums["busy_fraction"], result.metric(Metric::busy_fraction), 1e-12);
  EXPECT_NEAR(sums["effective_fraction"], result.metric(Metric::effective_fraction), 1e-12);
  EXPECT_GT(sums["migrations"], 0);
  EXPECT_NEAR(sums["migrations"], result.metric(Metric::migrations), 1e-12);
}

// By hand: of 1,200 GPU-seconds a group holds 600, 400 of them fast, of 1,000 fast ones in all. A job at the median, 1,
// is not fast, and all jobs hold GPUs, also those that are not measured.
TEST(JobMetrics, SayWhoHoldsFastGpus) {
  const std::vector<JobFacts> jobs = {{.finish_s = 100, .exec_s = 100, .ideal_s = 90, .gpus = 4, .slowdown = 0.9},
                                      {.finish_s = 200, .exec_s = 200, .ideal_s = 200, .gpus = 1, .slowdown = 1},
                                      {.finish_s = 300, .exec_s = 300, .ideal_s = 600, .gpus = 2, .slowdown = 0.5}};
  const auto of_two = job_metrics(std::span(jobs).first(2), {.gpus = 8}, held_sums(jobs));
  EXPECT_EQ(of_two.at("gpu_time_share"), 0.5);
  EXPECT_EQ(of_two.at("fast_gpu_share"), 0.4);
  EXPECT_EQ(of_two.at("gpu_time_fast"), 400. / 600);
  EXPECT_EQ(job_metrics(jobs, {.gpus = 8}, held_sums(jobs)).at("gpu_time_fast"), 1000. / 1200);
}

// By hand: 100 s of work at slowdown 1.5 and penalty 2 take 300 s; submitted 50 s before it started, moved once for 10
// s. Of the 200 s lost in running, slowness adds 50 s alone and 100 s on top of the penalty, the penalty 100 s alone
// and 150 s on top: 75 and 125 on average. In all 360 s.
TEST(JobMetrics, ShareTheTimeOutByCause) {
  JobFacts job{0, 360, 310, 100, 2, 1.5, 2.0, 0, 1, true};
  const RunFacts run{4, 0, 10, 1, 1, 1};
  const auto metrics = job_metrics(std::vector{job}, run, held_sums(std::vector{job}));
  EXPECT_NEAR(metrics.at("share_work"), 100.0 / 360, 1e-12);
  EXPECT_NEAR(metrics.at("share_variability"), 75.0 / 360, 1e-12);
  EXPECT_NEAR(metrics.at("share_locality"), 125.0 / 360, 1e-12);
  EXPECT_NEAR(metrics.at("share_migration"), 10.0 / 360, 1e-12);
  EXPECT_NEAR(metrics.at("share_waiting"), 50.0 / 360, 1e-12);
}

// One GPU, so that every restart is on the GPU that the job had: no migration is counted, and each of the two jobs that
// take turns under las pays 5 s at every launch but its first. Times held less work are then restarts x 5 s, which are
// as many as there were stops: the bound is reached.
TEST(JobMetrics, RestartsOnTheSameGpusAreBoundedAndNoMigrations) {
  SmallWorld world;
  world.gpus_per_node = 1;
  world.engine.round_s = 60;
  world.engine.migration_s = 5;
  world.order = "las";
  world.add(0, 1, 500);
  world.add(30, 1, 500);
  world.measure.last = 1;
  const RunResult result = world.run();
  const auto jobs = facts_of(world, result);
  double paid = 0, stayed = 0;
  std::int64_t stops = 0;
  for (const JobFacts& job : jobs) {
    paid += job.exec_s - job.ideal_s;
    stayed += job.finish_s - job.submit_s;
    stops += job.preemptions;
  }
  ASSERT_GT(stops, 3) << "nobody starts again";
  EXPECT_NEAR(paid, 5 * static_cast<double>(stops), 1e-9);
  const auto metrics = job_metrics(jobs, run_of(world, result), held_sums(jobs));
  EXPECT_EQ(metrics.at("share_migration"), 0);
  EXPECT_NEAR(metrics.at("share_restarts_most") * stayed, paid, 1e-9);
}

// A failed attempt is no preemption and its next start no migration, and it costs as much: three attempts, 2 x 10 s.
TEST(JobMetrics, RestartsOfAttemptsAreBounded) {
  JobFacts job{0, 200, 200, 100, 2, 1, 1, 0, 0, true};
  job.outcome = Outcome::passed, job.attempts = 3, job.lost_s = 160;
  const auto metrics = job_metrics(std::vector{job}, RunFacts{4, 0, 10, 1, 1, 1}, held_sums(std::vector{job}));
  EXPECT_NEAR(metrics.at("share_restarts_most"), 20.0 / 200, 1e-12);
}

// By hand. On two GPUs: one job passes after 100 s of which 30 s were undone, one is given up after 50 s. 300 GPU-s are
// held, of which 60 and 100 were for nothing; on four GPUs each of the three attempts of another passes or is killed.
TEST(JobMetrics, TellWhatBecameOfJobs) {
  JobFacts passed{0, 100, 100, 70, 2, 1, 1, 0, 0, true}, given_up{0, 60, 50, 500, 2, 1, 1, 0, 0, true},
      killed{0, 25, 25, 25, 4, 1, 1, 0, 0, true}, waiting{0, nan, 0, 25, 4, nan, nan, 0, 0, true};
  passed.outcome = Outcome::passed, passed.attempts = 2, passed.lost_s = 60;
  given_up.outcome = Outcome::unsuccessful, given_up.attempts = 6, given_up.lost_s = 100;
  killed.outcome = Outcome::killed;
  const std::vector<JobFacts> jobs = {passed, given_up, killed, waiting};
  const auto metrics = job_metrics(jobs, {8, 0, 0, 1, 1, 1}, held_sums(jobs));
  for (const char* name : {"jobs_passed", "jobs_killed", "jobs_unsuccessful"}) {
    EXPECT_NEAR(metrics.at(name), 1.0 / 3, 1e-12) << name;
  }
  EXPECT_NEAR(metrics.at("gpu_time_passed"), 0.5, 1e-12);
  EXPECT_NEAR(metrics.at("gpu_time_killed"), 0.25, 1e-12);
  EXPECT_NEAR(metrics.at("gpu_time_unsuccessful"), 0.25, 1e-12);
  EXPECT_NEAR(metrics.at("gpu_time_lost"), 0.4, 1e-12);
  EXPECT_NEAR(metrics.at("attempts_mean"), 3, 1e-12);
  // Of 185 s in all, the two jobs held GPUs for 30 + 50 s for nothing, and one waited 10 s.
  EXPECT_NEAR(metrics.at("share_failures"), 80.0 / 185, 1e-12);
  EXPECT_NEAR(metrics.at("share_work"), 95.0 / 185, 1e-12);
  EXPECT_NEAR(metrics.at("share_waiting"), 10.0 / 185, 1e-12);
}

// By hand, on two GPUs each. What is done of a job's work is all of it once it has finished, 100 s; of one that runs
// the 300 s over slowdown 1.5 and penalty 2; of one that has never run, of which neither is known, nothing. Where
// attempts fail what they undid is left out first: 240 of 300 s over 1.2 x 2. All hold GPUs, and those that are
// measured are busy.
TEST(JobMetrics, WorkIsWhatIsDoneOfTheJob) {
  const JobFacts finished{0, 300, 300, 100, 2, 1.5, 2, 0, 0, true}, running{0, nan, 300, 900, 2, 1.5, 2, 0, 0, true},
      waiting{0, nan, 0, 900, 2, nan, nan, 0, 0, true};
  JobFacts failing{0, 300, 300, 900, 2, 1.2, 2}, refused = waiting;
  failing.outcome = Outcome::passed, failing.lost_s = 120;
  refused.outcome = Outcome::unsuccessful;
  const auto work = [](const JobFacts& job) { return held_sums(std::vector{job}).effective_s; };
  EXPECT_DOUBLE_EQ(work(finished), 200);
  EXPECT_DOUBLE_EQ(work(running), 200);
  EXPECT_EQ(work(waiting), 0);
  EXPECT_DOUBLE_EQ(work(failing), 200);
  EXPECT_EQ(work(refused), 0);
  const std::vector<JobFacts> all = {finished, running, waiting, failing, refused};
  const HeldSums sums = held_sums(all);
  EXPECT_DOUBLE_EQ(sums.effective_s, 600);
  EXPECT_DOUBLE_EQ(sums.allocated_s, 1800);
  EXPECT_DOUBLE_EQ(sums.busy_s, 1200);
  EXPECT_EQ(sums.fast_s, 0);
  // Of the run's fractions the first has a third of what is done and of what is held, and a half of what is busy.
  const auto metrics = job_metrics(std::vector{finished}, {8, 0, 0, 0.9, 0.6, 0.3}, sums);
  EXPECT_NEAR(metrics.at("alloc_fraction"), 0.3, 1e-12);
  EXPECT_NEAR(metrics.at("busy_fraction"), 0.3, 1e-12);
  EXPECT_NEAR(metrics.at("effective_fraction"), 0.1, 1e-12);
}

// By hand: held for 8 s after a wait of 12 s, a job that was moved once for 10 s was being moved all the time, and can
// have done no work; one that was stopped twice has started again for at most the 8 s that it ran.
TEST(JobMetrics, NothingTakesLongerThanGpusAreHeld) {
  const RunFacts run{.gpus = 4, .migration_s = 10};
  const auto of = [&](std::int64_t preemptions, std::int64_t migrations) {
    const std::vector<JobFacts> jobs = {{0, 20, 8, 4, 2, 1.5, 2, preemptions, migrations, true}};
    return job_metrics(jobs, run, held_sums(jobs));
  };
  const auto moved = of(0, 1), stopped = of(2, 0);
  EXPECT_NEAR(moved.at("share_migration"), 8.0 / 20, 1e-12);
  EXPECT_NEAR(moved.at("share_waiting"), 12.0 / 20, 1e-12);
  for (const char* none : {"share_work", "share_variability", "share_locality", "share_restarts_most"}) {
    EXPECT_EQ(moved.at(none), 0) << none;
  }
  EXPECT_NEAR(stopped.at("share_restarts_most"), 8.0 / 20, 1e-12);
  EXPECT_EQ(stopped.at("share_migration"), 0);
}

// Of no job there is nothing to tell, and of unmeasured jobs only what they hold.
TEST(JobMetrics, OfNoMeasuredJobAreNotKnown) {
  const std::vector<JobFacts> jobs = {{0, 20, 20, 20, 1, 1, 1, 0, 0, false}};
  const auto metrics = job_metrics(jobs, {4, 0, 0, 1, 1, 1}, held_sums(jobs));
  for (const char* name : {"jct_mean_s", "jct_p50_s", "rho_mean", "rho_max", "share_work", "share_waiting",
                           "jobs_passed", "gpu_time_lost", "attempts_mean", jct_log_mean, "busy_fraction"}) {
    EXPECT_TRUE(std::isnan(metrics.at(name))) << name << " is " << metrics.at(name);
  }
  EXPECT_EQ(metrics.at("gpu_time_share"), 1);
  EXPECT_EQ(metrics.at("alloc_fraction"), 1);
}

// A job that never finished counts as unfinished and in nothing else.
TEST(JobMetrics, CountUnfinishedJobsApart) {
  const std::vector<JobFacts> jobs = {{0, 20, 20, 20, 1, 1, 1, 0, 0, true}, {5, nan, 0, 20, 1, nan, nan, 0, 0, true}};
  const auto metrics = job_metrics(jobs, {4, 0, 0, 1, 1, 1}, held_sums(jobs));
  EXPECT_EQ(metrics.at("jobs_unfinished"), 1);
  EXPECT_EQ(metrics.at("jct_mean_s"), 20);
  EXPECT_TRUE(std::isnan(metrics.at("makespan_s")));
}

TEST(JobMetrics, NameTheBucketsOfSizes) {
  EXPECT_EQ(size_bucket(1), "1");
  EXPECT_EQ(size_bucket(2), "2-4");
  EXPECT_EQ(size_bucket(4), "2-4");
  EXPECT_EQ(size_bucket(5), "5-8");
  EXPECT_EQ(size_bucket(8), "5-8");
  EXPECT_EQ(size_bucket(9), "9-16");
  EXPECT_EQ(size_bucket(16), "9-16");
  EXPECT_EQ(size_bucket(17), "17-64");
  EXPECT_EQ(size_bucket(64), "17-64");
  EXPECT_EQ(size_bucket(65), "65+");
}

}  // namespace
}  // namespace palstudy
