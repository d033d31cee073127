// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/gavel_scheduler.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "default_params.hpp"
#include "sim/expect_runs.hpp"
#include "sim/partition_parts.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// Nodes of two GPUs of one class, the first node fast.
SmallWorld gavel_world(const std::vector<double>& slowdown_by_node, const GavelOptions& options) {
  SmallWorld world;
  world.nodes = static_cast<std::uint32_t>(slowdown_by_node.size());
  world.gpus_per_node = 2;
  world.penalty = {1, 1, 1};
  for (const double slowdown : slowdown_by_node) world.slowdown_values.insert(world.slowdown_values.end(), 2, slowdown);
  world.bins.bins =
      static_cast<std::uint32_t>(std::set<double>(slowdown_by_node.begin(), slowdown_by_node.end()).size());
  world.engine.round_s = 360;
  world.scheduler = [=](const SchedulerContext& context) { return std::make_unique<GavelScheduler>(context, options); };
  world.measure.last = 1000;
  return world;
}

GavelOptions nested_options() {
  GavelOptions options;
  options.nested = true;
  return options;
}

// The example of Gavel's simulator with gangs of two: speeds 1 and 0.5, 900 s of work each. They take turns: job 0 does
// 360, 180, 360 and ends at 1080 s; job 1 has 720 done by then and does the rest on the fast GPUs until 1260 s.
TEST(GavelScheduler, TwoJobsTakeTurnsOnTheFastGpus) {
  SmallWorld world = gavel_world({1, 2}, {});
  for (int j = 0; j < 2; ++j) world.add(0, 2, 900);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, std::vector<double>({1080, 1260}));
  EXPECT_EQ(result.jobs.migrations, std::vector<std::uint32_t>({2, 3}));
}

// Where the slow type has the fast GPUs as well, a gang on these could stay there when its turn on the fast type is
// over. It leaves them all the same, since the other needs them: nothing of the example changes.
TEST(GavelScheduler, ANestedGangLeavesFastGpusThatAnotherNeeds) {
  SmallWorld world = gavel_world({1, 2}, nested_options());
  for (int j = 0; j < 2; ++j) world.add(0, 2, 900);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, std::vector<double>({1080, 1260}));
  EXPECT_EQ(result.jobs.migrations, std::vector<std::uint32_t>({2, 3}));
}

// The same run. T_equal is 0.75, so half of each type gives a gang 2 x 0.75 / 0.75 = 2; both are one group. When job 0
// has ended the other has the fast GPUs for itself: 2 x 1 / 0.75. Nobody is left when it ends, so nothing is solved
// then.
TEST(GavelScheduler, RecordsItsSolutions) {
  SmallWorld world = gavel_world({1, 2}, {});
  for (int j = 0; j < 2; ++j) world.add(0, 2, 900);
  const SolveRows solves = world.run().solves;
  EXPECT_EQ(solves.time_s, std::vector<double>({0, 1080}));
  EXPECT_EQ(solves.partition, std::vector<std::uint32_t>({0, 0}));
  EXPECT_EQ(solves.jobs, std::vector<std::uint32_t>({2, 1}));
  EXPECT_EQ(solves.groups, std::vector<std::uint32_t>({1, 1}));
  EXPECT_EQ(solves.objective, std::vector<ShareObjective>(2, ShareObjective::max_min));
  ASSERT_EQ(solves.size(), 2U);
  EXPECT_NEAR(solves.primal[0], 2, 1e-8);
  EXPECT_NEAR(solves.dual[0], 2, 1e-8);
  EXPECT_NEAR(solves.primal[1], 8.0 / 3, 1e-8);
  EXPECT_NEAR(solves.dual[1], 8.0 / 3, 1e-8);
}

// The same run under finish-time fairness, on GPUs of speeds 1.5 and 0.75, whose median is 1. On 1/2 of every type each
// job would take 1350 / 1.125 = 1200 s, which equal shares give: rho is 1. At 1080 s job 1 has done 1080, which is 960
// s on those shares, and 270 are left: alone, on all of two types, 240 s. It has the fast GPUs for itself: (1080 + 180)
// / (960 + 240) = 1.05.
TEST(GavelScheduler, FinishTimeFairnessRemembersWhatSharesWouldHaveGiven) {
  GavelOptions options;
  options.objective = ShareObjective::finish_time_fairness;
  SmallWorld world = gavel_world({2.0 / 3, 4.0 / 3}, options);
  for (int j = 0; j < 2; ++j) world.add(0, 2, 1350);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, std::vector<double>({1080, 1260}));
  const SolveRows& solves = result.solves;
  EXPECT_EQ(solves.time_s, std::vector<double>({0, 1080}));
  ASSERT_EQ(solves.size(), 2U);
  EXPECT_NEAR(solves.primal[0], 1, 1e-7);
  EXPECT_NEAR(solves.dual[0], 1, 1e-7);
  EXPECT_NEAR(solves.primal[1], 1.05, 1e-7);
  EXPECT_NEAR(solves.dual[1], 1.05, 1e-7);
}

// Two gangs take turns on two GPUs. The first one fails at the end of its rounds, at 360 and 1080 s, and has had these
// rounds all the same: the other one comes next, and at 1440 s, when both have had as much, the first again.
TEST(GavelScheduler, AJobThatFailsHasHadItsTime) {
  SmallWorld world = gavel_world({1}, {});
  for (int j = 0; j < 2; ++j) world.add(0, 2, 100000);
  with_parts(world, [](PartitionParts& parts) {
    GavelScheduler scheduler(parts.context(), {});
    for (const std::uint32_t job : {0U, 1U}) {
      parts.admit(job, 0);
      scheduler.notify({JobChange::arrived, JobId(job), 0});
    }
    for (int round = 0; round < 5; ++round) {
      const double now_s = 360 * round;
      if (round == 1 || round == 3) {
        parts.dispatcher.instant(now_s);
        parts.transaction.begin(now_s);
        parts.transaction.release(JobId(0), StopReason::order);
        parts.dispatcher.commit(now_s, parts.transaction);
        scheduler.notify({JobChange::failed, JobId(0), now_s});
      }
      parts.decide(scheduler, now_s);
      EXPECT_EQ(parts.runs(0), round % 2 == 0) << round;
      EXPECT_EQ(parts.runs(1), round % 2 == 1) << round;
    }
  });
}

TEST(GavelScheduler, RefusesAnObjectiveThatItDoesNotKnow) {
  const auto& gavel = schedulers().at("gavel");
  SmallWorld world = gavel_world({1}, {});
  world.add(0, 1, 100);
  with_parts(world, [&](PartitionParts& parts) {
    ParamValues params = default_params(gavel.params);
    EXPECT_NO_THROW((void)gavel.make(parts.context(), params));
    params.set("objective", std::string("best"));
    EXPECT_THROW((void)gavel.make(parts.context(), params), Error);
  });
}

// Two partitions, the second on GPUs of half the speed: rows by time, then by partition, each of its own.
TEST(GavelScheduler, SolutionsOfPartitionsAreJoinedByTime) {
  SmallWorld world = gavel_world({1, 2}, {});
  world.partitions = 2;
  for (int j = 0; j < 4; ++j) world.add(0, 2, 900);
  const SolveRows solves = world.run().solves;
  ASSERT_GE(solves.size(), 4U);
  EXPECT_EQ(solves.partition[0], 0U);
  EXPECT_EQ(solves.partition[1], 1U);
  for (std::size_t i = 1; i < solves.size(); ++i) {
    EXPECT_LT(std::pair(solves.time_s[i - 1], solves.partition[i - 1]),
              std::pair(solves.time_s[i], solves.partition[i]));
  }
}

// No other scheduler has such rows.
TEST(GavelScheduler, AListSolvesNothing) {
  SmallWorld world = gavel_world({1, 2}, {});
  world.scheduler = nullptr;
  world.add(0, 2, 900);
  EXPECT_EQ(world.run().solves.size(), 0U);
}

SmallWorld busy_world(const GavelOptions& options) {
  SmallWorld world = gavel_world({1, 1.5, 1.5, 2}, options);
  add_random_jobs(world, 11, 30, 5000, 4000);
  return world;
}

/// The largest number of bins among the GPUs of one launch. GPUs 0..1 are of the first, 2..5 of the second.
std::size_t most_bins(const RunResult& result) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < result.events.size(); ++i) {
    std::set<int> bins;
    for (std::uint32_t g = 0; g < result.events.gpu_count[i]; ++g) {
      const std::uint32_t gpu = result.events.gpus[result.events.gpu_begin[i] + g];
      bins.insert(gpu < 2 ? 0 : gpu < 6 ? 1 : 2);
    }
    most = std::max(most, bins.size());
  }
  return most;
}

// A gang is inside one bin, unless types are nested. (Jobs of more than 4 GPUs never run inside one.)
TEST(GavelScheduler, GangsAreInsideOneBin) {
  for (const ShareObjective objective : {ShareObjective::max_min, ShareObjective::finish_time_fairness}) {
    GavelOptions options;
    options.objective = objective;
    SmallWorld world = busy_world(options);
    for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 4U);
    const RunResult result = world.run();
    expect_sound(world, result);
    EXPECT_EQ(most_bins(result), 1U);
    EXPECT_EQ(result.metric(Metric::jobs_unfinished), 0);
  }
}

TEST(GavelScheduler, NestedGangsSpanBins) {
  const SmallWorld world = busy_world(nested_options());
  const RunResult result = world.run();
  expect_sound(world, result);
  EXPECT_EQ(most_bins(result), 3U);
  EXPECT_EQ(result.metric(Metric::jobs_unfinished), 0);
}

// With one bin there is nothing to know, and nothing to span.
TEST(GavelScheduler, WithOneBinKnowledgeAndNestingChangeNothing) {
  for (const ShareObjective objective : {ShareObjective::max_min, ShareObjective::water_filling, ShareObjective::sum,
                                         ShareObjective::makespan, ShareObjective::finish_time_fairness}) {
    GavelOptions options;
    options.objective = objective;
    SmallWorld world = busy_world(options);
    world.bins.bins = 1;
    const RunResult aware = world.run();
    GavelOptions agnostic = options, nested = options;
    agnostic.aware = false;
    nested.nested = true;
    for (const GavelOptions& other : {agnostic, nested}) {
      world.scheduler = [=](const SchedulerContext& context) {
        return std::make_unique<GavelScheduler>(context, other);
      };
      expect_same(world.run(), aware);
    }
  }
}

// Bins of 2 GPUs each. A gang of 3 fits in none: it takes the two slow GPUs, and one of the first bin, from the
// boundary after its arrival on until it ends; the job of one GPU keeps or gets the other, and the pair waits. Time is
// divided among these two alone.
TEST(GavelScheduler, AGangWiderThanEveryBinGoesFirst) {
  SmallWorld world = gavel_world({1, 2}, {});
  world.add(0, 1, 4000);
  world.add(0, 2, 4000);
  world.add(10, 3, 1000);
  const RunResult result = world.run();
  expect_sound(world, result);
  EXPECT_EQ(result.jobs.start_s[2], 360);
  EXPECT_EQ(result.jobs.finish_s[2], 360 + 2000);
  EXPECT_EQ(result.metric(Metric::jobs_unfinished), 0);
  EXPECT_EQ(std::ranges::max(result.solves.jobs), 2U);
}

// Bins of 4 GPUs each. Jobs 0 to 3 have the fast ones; when the gang of 5 takes the slow ones and GPU 0, whose job has
// ended as those of GPUs 1 and 2 have, job 3 stays on GPU 3, which the gang does not need.
TEST(GavelScheduler, AGangWiderThanEveryBinStopsOnlyWhoIsInItsWay) {
  SmallWorld world = gavel_world({1, 1, 2, 2}, {});
  for (const double seconds : {300, 300, 300, 4000}) world.add(0, 1, seconds);
  world.add(10, 5, 1000);
  const RunResult result = world.run();
  expect_sound(world, result);
  EXPECT_EQ(result.jobs.start_s[4], 360);
  EXPECT_EQ(result.jobs.finish_s[3], 4000);
  EXPECT_EQ(result.metric(Metric::preemptions), 0);
  EXPECT_EQ(result.metric(Metric::migrations), 0);
}

// Job 1 arrives after the solution at 360 s, the first at a time over 0. A reset is due 1,920 s later, at the boundary
// at 2520 s; with reset_s = 0 it runs at the next boundary.
TEST(GavelScheduler, ANewcomerWaitsForTheReset) {
  GavelOptions options;
  SmallWorld world = gavel_world({1, 2}, options);
  world.add(100, 2, 9000);
  world.add(400, 2, 900);
  EXPECT_EQ(world.run().jobs.start_s[1], 2520);
  options.reset_s = 0;
  world.scheduler = [=](const SchedulerContext& context) { return std::make_unique<GavelScheduler>(context, options); };
  EXPECT_EQ(world.run().jobs.start_s[1], 720);
}

// Job 1 arrives after the solution at 360 s, and job 0 ends at 860 s. At 1080 s nothing runs, so that the next boundary
// computes shares though the period is not over.
TEST(GavelScheduler, WhereNothingRunsTheNextBoundaryComputesShares) {
  SmallWorld world = gavel_world({1, 1}, {});
  world.add(100, 2, 500);
  world.add(400, 2, 100);
  EXPECT_EQ(world.run().jobs.start_s, std::vector<double>({360, 1440}));
}

// Types that are not told apart take turns in being filled first: the job does 360 s of its work on the fast GPUs, 180
// in the next round on the slow ones, and the rest on the fast ones. Nested types are always told apart.
TEST(GavelScheduler, TypesThatAreNotToldApartTakeTurns) {
  GavelOptions options;
  options.aware = false;
  SmallWorld world = gavel_world({1, 2}, options);
  world.add(0, 2, 900);
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, std::vector<double>({1080}));
  EXPECT_EQ(result.jobs.migrations, std::vector<std::uint32_t>({2}));
  options.nested = true;
  world.scheduler = [=](const SchedulerContext& context) { return std::make_unique<GavelScheduler>(context, options); };
  EXPECT_EQ(world.run().jobs.finish_s, std::vector<double>({900}));
}

// Two jobs on four GPUs of one type, then the partition is kept for a job on several: the one that runs goes on, the
// one that has come meanwhile, though it has shares and room, starts only when the partition is no longer kept.
TEST(GavelScheduler, StartsNothingInAPartitionThatIsKept) {
  GavelOptions options;
  options.reset_s = 0;
  SmallWorld world = gavel_world({1, 1}, options);
  for (int j = 0; j < 2; ++j) world.add(0, 2, 100000);
  with_parts(world, [&](PartitionParts& parts) {
    GavelScheduler scheduler(parts.context(), options);
    const auto arrives = [&](std::uint32_t job, double now_s) {
      parts.admit(job, now_s);
      scheduler.notify({JobChange::arrived, JobId(job), now_s});
    };
    arrives(0, 0);
    parts.decide(scheduler, 0);
    arrives(1, 360);
    parts.state.reserved = true;
    parts.decide(scheduler, 360);
    EXPECT_TRUE(parts.runs(0));
    EXPECT_FALSE(parts.runs(1));
    EXPECT_EQ(scheduler.next_change_s(parts.state.view(360)), 360);
    parts.state.reserved = false;
    parts.decide(scheduler, 720);
    EXPECT_TRUE(parts.runs(1));
  });
}

// Without a period every boundary at which there are other jobs than at the one before has a solution, unless none is
// left; with one there are fewer.
TEST(GavelScheduler, WithoutAResetPeriodEveryChangeIsSolved) {
  GavelOptions options;
  options.reset_s = 0;
  SmallWorld world = busy_world(options);
  for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 4U);
  const RunResult result = world.run();
  const auto boundary = [&](double time_s) { return std::ceil(time_s / world.engine.round_s) * world.engine.round_s; };
  std::set<double> changes;
  for (const Job& job : world.jobs) changes.insert(boundary(job.submit_s));
  for (const double finish_s : result.jobs.finish_s) changes.insert(boundary(finish_s));
  std::erase_if(changes, [&](double now_s) {
    for (std::size_t j = 0; j < world.jobs.size(); ++j) {
      if (boundary(world.jobs[j].submit_s) <= now_s && boundary(result.jobs.finish_s[j]) > now_s) return false;
    }
    return true;
  });
  EXPECT_EQ(result.solves.time_s, std::vector<double>(changes.begin(), changes.end()));
  options.reset_s = 1920;
  EXPECT_LT(busy_world(options).run().solves.size(), changes.size());
}

}  // namespace
}  // namespace palstudy
