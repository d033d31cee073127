// SPDX-License-Identifier: MIT
#include "analysis/jobs/job_story.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/jobs/limit_kills.hpp"
#include "analysis/jobs/run_difference.hpp"
#include "message_of.hpp"
#include "record/record.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// A run of a small world, with the rows that an archive has of it.
struct ToldRun {
  explicit ToldRun(const SmallWorld& small, std::vector<std::string> site_ids = {})
      : topology(std::vector<NodeGroup>{{small.nodes, small.gpus_per_node}}, small.nodes_per_cabinet),
        partitioning(topology, small.partitions),
        truth(small.slowdown_values.empty() ? Slowdowns::flat(small.classes, topology.gpus())
                                            : Slowdowns(small.classes, topology.gpus(), small.slowdown_values)),
        round_s(small.engine.start == Start::event ? 0 : small.engine.round_s),
        migration_s(small.engine.migration_s) {
    Workload workload;
    workload.jobs = small.jobs;
    workload.classes = small.classes;
    workload.models = {""};
    workload.tenants = small.tenant_names;
    workload.model_use = small.model_use;
    workload.site_ids = std::move(site_ids);
    RunLabel label;
    label.id = "0123456789abcdef";
    record = make_record(label, small.run(), workload, truth, topology, partitioning, {true, true, false});
    jobs = rows_of_jobs(record.jobs);
  }
  [[nodiscard]] RunOfJobs run() const { return {record, topology, partitioning, truth, round_s, migration_s}; }
  [[nodiscard]] JobStory story(std::size_t row) const { return job_story(run(), jobs, row); }

  Topology topology;
  Partitioning partitioning;
  Slowdowns truth;
  double round_s, migration_s;
  RunRecord record;
  std::vector<JobRow> jobs;
};

SmallWorld four_gpus() {
  SmallWorld world;
  world.engine.round_s = 100;
  world.measure.last = 9;
  return world;
}

// Job 0 holds 3 of 4 GPUs until 950, job 1 wants 2 and comes at 150. The scheduler sees it at 200 and has 1 GPU free
// until 1000, when it starts: 50 s for a boundary and 800 s short of GPUs.
TEST(JobStory, AJobThatIsShortOfGpusCouldNotHaveStartedEarlier) {
  SmallWorld world = four_gpus();
  world.add(0, 3, 950);
  world.add(150, 2, 100);
  const JobStory story = ToldRun(world).story(1);
  EXPECT_EQ(story.job.start_s, 1000);
  EXPECT_EQ(story.wait.s(WaitCause::boundary), 50);
  EXPECT_EQ(story.wait.s(WaitCause::short_of_gpus), 800);
  EXPECT_EQ(story.wait.s(WaitCause::behind_others) + story.wait.s(WaitCause::held_back), 0);
  EXPECT_EQ(story.wait.main(), WaitCause::short_of_gpus);
  EXPECT_EQ(story.wait.free_least, 1);
  EXPECT_EQ(story.wait.free_mean, 1);
  EXPECT_EQ(story.wait.part_gpus, 4);
  EXPECT_EQ(story.wait.enough_s, 1000);
  EXPECT_EQ(story.wait.ahead.jobs + story.wait.overtook.jobs, 0);
  EXPECT_EQ(story.stopped_s, 0);
}

// Job 1 wants all GPUs and stands before job 2, which wants the one that is free: with a strict order it waits behind
// job 1 from 100 to 500, and then as long as job 1 runs, short of GPUs. A GPU was free for it at 100.
TEST(JobStory, AJobBehindAWiderOneHasGpusEnoughAndWaitsItsTurn) {
  SmallWorld world = four_gpus();
  world.add(0, 3, 500);
  world.add(10, 4, 300);
  world.add(20, 1, 100);
  const JobStory story = ToldRun(world).story(2);
  EXPECT_EQ(story.job.start_s, 800);
  EXPECT_EQ(story.wait.s(WaitCause::boundary), 80);
  EXPECT_EQ(story.wait.s(WaitCause::behind_others), 400);
  EXPECT_EQ(story.wait.s(WaitCause::short_of_gpus), 300);
  EXPECT_EQ(story.wait.main(), WaitCause::behind_others);
  EXPECT_EQ(story.wait.enough_s, 100);
  EXPECT_EQ(story.wait.free_least, 0);
  EXPECT_NEAR(story.wait.free_mean, 400.0 / 700, 1e-12);
  EXPECT_EQ(story.wait.ahead.jobs, 1U);
  EXPECT_NEAR(story.wait.ahead.gpu_hours, 4 * 300 / 3600.0, 1e-12);
}

// With a backfill job 2 starts at 100 before job 1, which it has overtaken.
TEST(JobStory, CountsJobsThatOvertakeIt) {
  SmallWorld world = four_gpus();
  world.engine.backfill = Backfill::greedy;
  world.add(0, 3, 500);
  world.add(10, 4, 300);
  world.add(20, 1, 900);
  const JobStory story = ToldRun(world).story(1);
  EXPECT_EQ(story.job.start_s, 1000);
  EXPECT_EQ(story.wait.overtook.jobs, 1U);
  EXPECT_NEAR(story.wait.overtook.gpu_hours, 900 / 3600.0, 1e-12);
  EXPECT_EQ(story.wait.ahead.jobs, 0U);
  EXPECT_EQ(story.wait.s(WaitCause::short_of_gpus), 900);
}

// Two jobs of 2 GPUs on 4 at once: neither waits, so that there is nothing to share out.
TEST(JobStory, AJobThatStartsAtOnceWaitsForNothing) {
  SmallWorld world = four_gpus();
  world.add(0, 2, 100);
  world.add(0, 2, 100);
  const JobStory story = ToldRun(world).story(1);
  for (const double seconds : story.wait.by_cause_s) EXPECT_EQ(seconds, 0);
  EXPECT_EQ(story.wait.enough_s, 0);
}

// Slowdowns 1, 2, 1.5 and 1.25 on two nodes of 2 GPUs: a job of all four spans a cabinet (penalty 1.7) and takes
// 100 x 2 x 1.7 = 340 s. With GPU 1 as GPU 2 it would take 255 s, so 85 s less; on median GPUs 170 s less.
TEST(JobStory, TellsWhatTheSlowestGpuCost) {
  SmallWorld world = four_gpus();
  world.nodes = 2, world.gpus_per_node = 2;
  world.slowdown_values = {1, 2, 1.5, 1.25};
  world.add(0, 4, 100);
  world.add(0, 1, 100);
  const ToldRun run(world);
  const JobStory story = run.story(0);
  ASSERT_EQ(story.stays.size(), 1U);
  EXPECT_EQ(story.stays[0].held.gpus, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(story.stays[0].nodes, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(story.span, Level::cabinet);
  EXPECT_EQ(story.job.penalty, 1.7);
  ASSERT_TRUE(story.cost);
  EXPECT_EQ(story.cost->slowest.gpu, 1);
  EXPECT_EQ(story.cost->slowest.slowdown, 2);
  EXPECT_NEAR(story.cost->as_second_s.value(), 85, 1e-9);
  EXPECT_NEAR(story.cost->as_median_s, 170, 1e-9);
  const JobStory alone = run.story(1);  // on one GPU there is no second
  ASSERT_TRUE(alone.cost);
  EXPECT_FALSE(alone.cost->as_second_s);
}

// The whole of what the wait is shared out to is the wait, in a busy run with stops and moves; enough GPUs are free
// when the job starts at the latest; and no job gets faster by more than it ran.
TEST(JobStory, OfManyJobsAddsUp) {
  SmallWorld world;
  world.nodes = 4;
  world.engine.round_s = 60;
  world.engine.migration_s = 5;
  world.order = "las";
  world.placement = "pal";
  world.classes = {"A", "B"};
  for (std::size_t i = 0; i < 32; ++i) world.slowdown_values.push_back(1 + 0.05 * static_cast<double>(i * 7 % 16));
  add_random_jobs(world, 3, 120, 20000, 2000);
  world.measure.last = 119;
  const ToldRun run(world);
  std::size_t stopped = 0;
  for (std::size_t row = 0; row < run.jobs.size(); ++row) {
    const JobStory story = run.story(row);
    double sum = 0;
    for (const double seconds : story.wait.by_cause_s) sum += seconds;
    EXPECT_NEAR(sum, story.job.start_s - story.job.submit_s, 1e-6);
    EXPECT_LE(story.wait.enough_s, story.job.start_s);
    EXPECT_NEAR(sum + story.stopped_s, story.job.jct_s() - story.job.exec_s, 1e-6);
    ASSERT_TRUE(story.cost);
    EXPECT_LT(story.cost->as_median_s, story.job.exec_s);
    EXPECT_LE(story.cost->as_second_s.value_or(0), story.job.exec_s);
    stopped += story.stopped_s > 0 ? 1 : 0;
  }
  EXPECT_GT(stopped, 0U);
}

// The run ends with job 0, at 200; job 1, which is not measured, has not started then.
TEST(JobStory, AJobThatNeverStartsWaitsToTheEnd) {
  SmallWorld world = four_gpus();
  world.measure.last = 0;
  world.add(0, 4, 200);
  world.add(10, 4, 100);
  world.add(20, 4, 100);
  const ToldRun run(world);
  const JobStory story = run.story(2);
  EXPECT_FALSE(story.job.started());
  EXPECT_EQ(story.wait.until_s, 200);
  EXPECT_EQ(story.wait.main(), WaitCause::short_of_gpus);
  EXPECT_TRUE(story.stays.empty());
  EXPECT_FALSE(story.cost);
  // What was started at the last boundary has run for no time and is not over.
  EXPECT_EQ(run.story(1).job.start_s, 200);
}

// By the trace's id, and by the site's where it has another. The site's goes first: job 8 of the archive is the
// site's 7.
TEST(JobStory, AJobIsFoundByEitherId) {
  SmallWorld world = four_gpus();
  world.add(0, 1, 100);
  world.add(0, 1, 100);
  world.add(0, 1, 100);
  world.jobs[1].id = 7;
  world.jobs[1].site_id = 1;
  world.jobs[2].id = 8;
  world.jobs[2].site_id = 2;
  const ToldRun run(world, {"", "123_4", "7"});
  EXPECT_EQ(find_job(run.jobs, "0"), 0U);
  EXPECT_EQ(find_job(run.jobs, "7"), 2U);
  EXPECT_EQ(find_job(run.jobs, "8"), 2U);
  EXPECT_EQ(find_job(run.jobs, "123_4"), 1U);
  EXPECT_EQ(find_job(run.jobs, "1"), std::nullopt);
  EXPECT_EQ(find_job(run.jobs, ""), std::nullopt);
}

JobRow over_job(std::int64_t id, double wait_s, double ideal_s, double slowdown, double penalty) {
  JobRow job;
  job.job = id;
  job.gpus = 2;
  job.ideal_s = ideal_s, job.slowdown = slowdown, job.penalty = penalty;
  job.exec_s = ideal_s * slowdown * penalty;
  job.start_s = wait_s, job.finish_s = wait_s + job.exec_s;
  job.status = "finished";
  return job;
}

// Job 0: 100 s ideal, from slowdown 2 and penalty 1 to 1 and 1.5, 200 s to 150 s: GPUs make -100 x 2.5 / 2 = -125 s,
// the span +75 s; it waits as long. Job 1 waits 400 s more. Job 2 is the same. So 450 of 450 s are of jobs 1 and 0, and
// of one job alone 400 of 450.
TEST(RunDifference, SharesOutWhatMakesIt) {
  const std::vector<JobRow> jobs = {over_job(0, 0, 100, 2, 1), over_job(1, 0, 50, 1, 1), over_job(2, 0, 10, 1, 1)};
  const std::vector<JobRow> others = {over_job(0, 0, 100, 1, 1.5), over_job(1, 400, 50, 1, 1),
                                      over_job(2, 0, 10, 1, 1)};
  const RunDifference all = run_difference(jobs, others, 10, "--against");
  EXPECT_EQ(all.compared, 3U);
  ASSERT_EQ(all.jobs.size(), 2U);
  EXPECT_EQ(all.share, 1);
  EXPECT_EQ(all.jobs[0].job, 1);
  EXPECT_EQ(all.jobs[0].s(DifferenceCause::wait), 400);
  EXPECT_EQ(all.jobs[0].main(), DifferenceCause::wait);
  const JobDifference& second = all.jobs[1];
  EXPECT_EQ(second.difference_s(), -50);
  EXPECT_NEAR(second.s(DifferenceCause::gpus), -125, 1e-9);
  EXPECT_NEAR(second.s(DifferenceCause::span), 75, 1e-9);
  EXPECT_NEAR(second.s(DifferenceCause::rest), 0, 1e-9);
  EXPECT_EQ(second.main(), DifferenceCause::gpus);
  EXPECT_NEAR(all.other_mean_s - all.mean_s, 350.0 / 3, 1e-9);
  EXPECT_NEAR(run_difference(jobs, others, 1, "").share, 400.0 / 450, 1e-12);
}

TEST(RunDifference, AsksForTheSameJobs) {
  const std::vector<JobRow> jobs = {over_job(0, 0, 100, 2, 1)};
  EXPECT_NE(message_or_none(ErrorCode::usage,
                            [&] { (void)run_difference(jobs, {over_job(0, 0, 99, 2, 1)}, 10, "--against"); }),
            "");
  EXPECT_NE(message_or_none(ErrorCode::usage, [&] { (void)run_difference(jobs, {}, 10, "--against"); }), "");
  std::vector<JobRow> unfinished = jobs;
  unfinished[0].finish_s = nan;
  EXPECT_EQ(run_difference(jobs, unfinished, 10, "--against").left_out, 1U);
}

// Killed after 150 s: job 0 needs 100 x 1.4 = 140 s on median GPUs, so that it fell to a slow one; job 1 would need
// 160 s. With 20 s for its one move job 0 would not have made it either.
TEST(LimitKills, AreOfSlowGpusIfTheJobWouldHaveFit) {
  std::vector<JobRow> jobs = {over_job(0, 0, 100, 1.5, 1.4), over_job(1, 0, 160, 1.5, 1), over_job(2, 0, 100, 1.5, 1)};
  jobs[0].exec_s = jobs[1].exec_s = 150;
  jobs[0].status = jobs[1].status = "killed";
  jobs[0].user = "ann", jobs[1].user = "bob", jobs[2].user = "bob";
  jobs[0].migrations = 1;
  const LimitKills kills = limit_kills(jobs, 10);
  EXPECT_EQ(kills.by, "user");
  EXPECT_EQ(kills.all.jobs, 2U);
  ASSERT_EQ(kills.jobs.size(), 1U);
  EXPECT_EQ(kills.jobs[0].job.job, 0);
  EXPECT_NEAR(kills.jobs[0].needed_s, 150, 1e-9);
  ASSERT_EQ(kills.users.size(), 2U);
  EXPECT_EQ(kills.users[0].user, "ann");
  EXPECT_NEAR(kills.users[0].slow.gpu_hours, 2 * 150 / 3600.0, 1e-12);
  EXPECT_EQ(kills.users[1].all.jobs, 1U);
  EXPECT_EQ(kills.users[1].slow.jobs, 0U);
  EXPECT_EQ(limit_kills(jobs, 20).slow.jobs, 0U);
}

}  // namespace
}  // namespace palstudy
