// SPDX-License-Identifier: MIT
// Backfill and placement `slurm`: three schedules that a real Slurm 22.05 was recorded with (tests/golden/runs/slurm),
// and the times of its passes, by hand.
#include <gtest/gtest.h>

#include "core/numbers.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Nodes of 4 GPUs; time 0 is second 50 of a minute.
SmallWorld slurm_nodes(std::uint32_t nodes, const char* passes = "boundary") {
  SmallWorld world;
  world.nodes = nodes;
  world.placement = "slurm";
  world.backfill = "slurm";
  world.engine.backfill = Backfill::greedy;
  world.engine.start = Start::event;
  world.penalty = {1, 1, 1};
  world.set_params = [passes](ParamValues& values) {
    values.set("passes", std::string(passes));
    values.set("clock_s", 50.0);
  };
  return world;
}

void add_limited(SmallWorld& world, double submit_s, std::uint32_t gpus, double limit_s, double seconds) {
  world.add(submit_s, gpus, seconds);
  world.jobs.back().estimate_s = limit_s;
}

std::vector<double> slurm_starts(SmallWorld world) {
  world.measure.last = static_cast<std::int64_t>(world.jobs.size()) - 1;
  return world.run().jobs.start_s;
}

using SlurmStarts = std::vector<double>;

// micro-2: job 2 is promised node 1, which has a free GPU, when job 1 ends; that GPU is promised with it, so job 3
// waits.
TEST(SlurmBackfill, PromisesNodesWhole) {
  SmallWorld world = slurm_nodes(2);
  add_limited(world, 0, 4, 240, 200), add_limited(world, 0.6, 3, 60, 57), add_limited(world, 1.8, 2, 240, 20),
      add_limited(world, 3.6, 1, 120, 30);
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{0, 0.6, 57.6, 57.6}));
}

// micro, m2: job 1 wants both nodes, which are free at 121. Its promise begins at the minute of the clock before, 70;
// job 2 would hold node 1 until 100, and waits until job 1 has run.
TEST(SlurmBackfill, PromisesBeginAtTheMinuteBefore) {
  SmallWorld world = slurm_nodes(2);
  add_limited(world, 1, 4, 120, 115), add_limited(world, 4, 8, 60, 20), add_limited(world, 40, 4, 60, 15);
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{1, 116, 136}));
}

// The same with promises to the second: job 2 ends before job 1 begins.
TEST(SlurmBackfill, AFinerResolutionLetsJobsBy) {
  SmallWorld world = slurm_nodes(2);
  world.set_params = [](ParamValues& values) {
    values.set("clock_s", 50.0);
    values.set("bf_resolution", 1.0);
  };
  add_limited(world, 1, 4, 120, 115), add_limited(world, 4, 8, 60, 20), add_limited(world, 40, 4, 60, 15);
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{1, 116, 40}));
}

// Jobs 0 to 2 hold one node each until 100, 125 and 160 by their limits. Job 3 wants three nodes: node 3 is free, and
// the ends at 100 and 125 are in one group, which is planned to end at 125. Job 4 may have node 3 until then, if it
// ends by 70, the minute of the clock before: a limit of one minute from 5 does.
TEST(SlurmBackfill, EndsComeInGroups) {
  SmallWorld world = slurm_nodes(4);
  add_limited(world, 0, 4, 2 * minute_s, 110), add_limited(world, 1, 4, 3 * minute_s, 100),
      add_limited(world, 2, 4, 6 * minute_s, 300);
  add_limited(world, 4, 12, minute_s, 10), add_limited(world, 5, 4, minute_s, 50),
      add_limited(world, 6, 4, 3 * minute_s, 20);
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{0, 1, 2, 110, 5, 120}));
}

// By Slurm's clocks the main pass comes every 3 s and the backfill pass every 30 s: job 0 starts at 3, job 2 passes job
// 1 at 60, since it was submitted after the pass at 30.
TEST(SlurmBackfill, PassesComeByTheirOwnClocks) {
  SmallWorld world = slurm_nodes(2, "slurm");
  add_limited(world, 1, 4, 600, 500), add_limited(world, 2, 8, 60, 10), add_limited(world, 31, 2, 60, 20);
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{3, 504, 60}));
}

// Job 1 is planned at 600 s. In a window of twenty minutes it is promised both nodes, and job 2, whose limit is longer,
// waits for it. In one of five minutes nothing is promised that late, and job 2 starts on the free node.
TEST(SlurmBackfill, PromisesNothingBeyondItsWindow) {
  for (const double window_min : {20.0, 5.0}) {
    SmallWorld world = slurm_nodes(2);
    world.set_params = [=](ParamValues& values) { values.set("bf_window", window_min); };
    add_limited(world, 0, 4, 600, 500), add_limited(world, 1, 8, 60, 50), add_limited(world, 2, 4, 1200, 100);
    EXPECT_EQ(slurm_starts(world), window_min > 10 ? (SlurmStarts{0, 500, 550}) : (SlurmStarts{0, 500, 2}));
  }
}

// The main pass looks at one job, the backfill pass at two; the third waits although it fits.
TEST(SlurmBackfill, LooksAtSoManyJobs) {
  SmallWorld world = slurm_nodes(4);
  world.set_params = [](ParamValues& values) { values.set("bf_max_job_test", 2.0); };
  add_limited(world, 0, 12, 60, 50), add_limited(world, 1, 16, 60, 10), add_limited(world, 1, 16, 60, 10),
      add_limited(world, 1, 4, 60, 10);
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{0, 50, 60, 70}));
}

// Job 1 comes after job 0. Node 1 is free all the time, and job 2 has it at once.
TEST(SlurmLinks, AJobWaitsForTheOneThatItComesAfter) {
  SmallWorld world = slurm_nodes(2);
  add_limited(world, 0, 4, 600, 100), add_limited(world, 1, 4, 600, 10), add_limited(world, 2, 4, 600, 10);
  world.links.after = {{1, 0}};
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{0, 100, 2}));
}

// Two tasks of an array run at once. The third is neither started nor promised a node meanwhile, so job 3 has node 2.
TEST(SlurmLinks, FewTasksOfAnArrayRunAtOnce) {
  SmallWorld world = slurm_nodes(3);
  add_limited(world, 0, 4, 600, 50), add_limited(world, 0, 4, 600, 60), add_limited(world, 0, 4, 600, 50);
  add_limited(world, 1, 4, 600, 10);
  world.links.tasks = {{0, "a"}, {1, "a"}, {2, "a"}};
  world.links.at_once = {{"a", 2}};
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{0, 0, 50, 1}));
}

// Job 1 came first, but its age counts from 300, when job 0 is over. That of job 2 is 200 s then.
TEST(SlurmLinks, AgeCountsFromTheEndOfTheJobBefore) {
  SmallWorld world = slurm_nodes(1);
  world.order = "multifactor";
  world.set_params = [](ParamValues& values) {
    values.set("PriorityWeightFairshare", 0.0);
    values.set("PriorityWeightJobSize", 0.0);
    values.set("PriorityCalcPeriod", 1.0);
    values.set("PriorityMaxAge", 10.0);
  };
  add_limited(world, 0, 4, 600, 300), add_limited(world, 1, 4, 600, 50), add_limited(world, 100, 4, 600, 50);
  world.links.after = {{1, 0}};
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{0, 350, 300}));
}

/// The same placement, which does not say what nodes a job needs.
class Secretive final : public PlacementPolicy {
 public:
  explicit Secretive(PlacementPolicy& of) : of_(of) {}
  [[nodiscard]] bool sticky() const override { return of_.sticky(); }
  [[nodiscard]] bool may_refuse() const override { return of_.may_refuse(); }
  [[nodiscard]] IndexNeeds needs() const override { return of_.needs(); }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override { return of_.choose(request, free, out); }

 private:
  PlacementPolicy& of_;
};

// Which nodes could serve a job is looked up; without that the placement is asked each time. On nodes that fill up,
// with limits that are alike and not, both start every job at the same time, and keep as many promises.
TEST(SlurmBackfill, LooksUpWhatThePlacementWouldSay) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SmallWorld world = slurm_nodes(8);
    world.set_params = [=](ParamValues& values) { values.set("bf_window", seed % 3 == 0 ? 1440.0 : 20.0); };
    add_random_jobs(world, seed, 200, 3000, 900);
    for (Job& job : world.jobs) {
      job.estimate_s = seed % 2 == 0 ? 600 * std::ceil(job.ideal_s() / 600) : 1.3 * job.ideal_s();
    }
    world.measure.last = static_cast<std::int64_t>(world.jobs.size()) - 1;
    const auto starts = [&](bool secretive) {
      return world.with_world([&](const World& made, const Policies& policies) {
        Secretive secret(policies.placement);
        LocalExchange alone;
        const Policies others{policies.order, secret, policies.routing, policies.scheduler, policies.backfill};
        const RunResult result = simulate(made, secretive ? others : policies, alone);
        return std::pair(result.jobs.start_s, result.metric(Metric::reservation_violations));
      });
    };
    EXPECT_EQ(starts(false), starts(true)) << seed;
  }
}

/// Two queues: "low" has nodes 0 and 1, "high" nodes 1 and 2 and a higher tier.
QueueRules overlapping_queues() {
  QueueRules rules;
  for (const std::uint32_t first : {0U, 1U}) {
    NodeSet nodes(3);
    nodes.insert(NodeId(first)), nodes.insert(NodeId(first + 1));
    rules.all.push_back({first == 0 ? "low" : "high", nodes, first == 0 ? 1U : 10U});
  }
  rules.of_name = {0, 1};
  return rules;
}
void add_queued(SmallWorld& world, double submit_s, std::uint16_t queue, std::uint32_t gpus, double seconds) {
  add_limited(world, submit_s, gpus, 600, seconds);
  world.jobs.back().queue = queue;
}

// Job 0 has node 0, so job 1 of the same queue has node 1, which both queues share. Job 2 gets node 2; job 3 wants a
// node of "high", and waits for node 2 or 1; job 4 of "low" would get node 0 at 100.
TEST(SlurmQueues, JobsGetNodesOfTheirQueueAlone) {
  SmallWorld world = slurm_nodes(3);
  world.queues = overlapping_queues();
  add_queued(world, 0, 0, 4, 100), add_queued(world, 0, 0, 4, 500), add_queued(world, 1, 1, 4, 200);
  add_queued(world, 2, 1, 4, 10), add_queued(world, 3, 0, 4, 10);
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{0, 0, 1, 201, 100}));
}

// Job 0 has nodes 0 and 1, job 1 node 2. Job 3 of the higher tier gets node 1 at 100 although it came after job 2,
// which wants both nodes.
TEST(SlurmQueues, AHigherTierComesFirst) {
  SmallWorld world = slurm_nodes(3);
  world.queues = overlapping_queues();
  add_queued(world, 0, 0, 8, 100), add_queued(world, 1, 1, 4, 300);
  add_queued(world, 2, 0, 8, 50), add_queued(world, 3, 1, 4, 50);
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{0, 1, 150, 100}));
}

// Main passes come every 3 s, backfill passes every 30 s. From 10 s on nodes 0 and 1 are free, and job 2 of "high"
// wants node 2 as well: the main passes leave its nodes alone, and so job 3 of "low", which wants node 1, waits for the
// backfill pass at 30, by which it is over before job 2 can begin.
TEST(SlurmQueues, AMainPassClosesTheNodesOfAQueueThatWaits) {
  SmallWorld world = slurm_nodes(3, "slurm");
  world.queues = overlapping_queues();
  add_queued(world, 0, 0, 8, 10), add_queued(world, 1, 1, 4, 500), add_queued(world, 4, 1, 8, 50);
  add_queued(world, 5, 0, 8, 20);
  world.jobs.back().estimate_s = 60;
  EXPECT_EQ(slurm_starts(world), (SlurmStarts{0, 3, 504, 30}));
}

// Eight GPUs are free, but the job's queue has one node of four. The run says so instead of going on for ever.
TEST(SlurmQueues, AJobThatItsQueueCannotTakeEndsTheRun) {
  SmallWorld world = slurm_nodes(3);
  world.queues = overlapping_queues();
  for (QueueRule& rule : world.queues->all) rule.nodes = NodeSet(3), rule.nodes.insert(NodeId(0));
  add_queued(world, 0, 0, 8, 50);
  EXPECT_THROW((void)slurm_starts(world), Error);
}

// Limits are looked at every half minute from 10 s on, and count from the second of the start: a job of one minute that
// started at 0.6 is over at 60, and killed at 70; one that started at 10.4 at 70 as well.
TEST(SlurmLimits, AreLookedAtEveryHalfMinute) {
  SmallWorld world = slurm_nodes(2);
  world.engine.kills_overruns = true;
  world.set_params = [](ParamValues& values) { values.set("limit_phase_s", 10.0); };
  add_limited(world, 0.6, 4, 60, 500), add_limited(world, 10.4, 4, 60, 500), add_limited(world, 70, 4, 60, 20);
  world.measure.last = 2;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, (SlurmStarts{70, 70, 90}));
}

// Node 0 goes down at 100 and comes back at 110: its job may start again 121 s later, with cred_expire = 120.
TEST(SlurmRequeues, AJobThatLostItsNodeIsNotLookedAtForAWhile) {
  for (const Start start : {Start::event, Start::round}) {
    SmallWorld world = slurm_nodes(1);
    world.engine.start = start;
    world.engine.round_s = 1;
    world.outages = {{NodeId(0), 100, 110, false}};
    add_limited(world, 0, 4, 600, 300);
    world.measure.last = 0;
    const RunResult result = world.run();
    EXPECT_EQ(result.jobs.finish_s[0], 100 + 121 + 200);
  }
}

}  // namespace
}  // namespace palstudy
