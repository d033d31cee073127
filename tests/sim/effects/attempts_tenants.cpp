// SPDX-License-Identifier: MIT
// Attempts that fail where there are tenants: what another tenant's claim undoes, and what must be true of any run.
// All GPUs are alike, so a job of s seconds runs for s seconds.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/numbers.hpp"
#include "sim/expect_runs.hpp"
#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

const std::string tenants_head =
    "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1\n"
    "(jobs that are killed),,share,,,,,,20\nJob preempted,IF,scheduler,no,no,1,2,3,9\n";
const std::string never_fails = tenants_head + "(attempts that fail),,share,,,,,,0\nodd,AE,job,no,no,1,2,3,1\n";
const std::string seldom_done = tenants_head +
                                "(attempts that fail),,share,,,,,,50\nbad input,U,job,yes,yes,1,3,6,5\n"
                                "odd,AE,job,no,no,1,2,4,3\nlink,IF,place,no,no,1,5,9,8\n";

/// Rounds of 100 s and 4 GPUs of which a and b have 2 each. From 0 on a runs 1,000 s on all of them; at 350 b wants
/// its 2 for 500 s and gets them at 400.
SmallWorld reclaimed_world() {
  SmallWorld world;
  world.engine.round_s = 100;
  world.engine.backfill = Backfill::greedy;
  world.tenant_names = {"a", "b"};
  world.tenants.emplace();
  world.tenants->quota = {2, 2};
  world.tenants->preempt_occupancy = 0.9;
  world.measure.last = 1;
  world.add(0, 4, 1000);
  world.add(350, 2, 500);
  world.jobs[1].tenant = 1;
  world.failures = never_fails;
  world.failure_options.late_fails = false;
  world.failure_options.checkpoint_s = 150;
  return world;
}

// By hand. At 400 the last checkpoint of a's job is that at 300 s: 100 s on four GPUs are undone. It waits until b's
// job is over at 900, and has 700 s left. The stop uses up no attempt.
TEST(AttemptsOfTenants, WhoIsStoppedForAnotherGoesOnFromItsCheckpoint) {
  const RunResult result = reclaimed_world().run();
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 400}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{1600, 900}));
  EXPECT_EQ(result.jobs.preemptions, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(result.jobs.attempts, (std::vector<std::uint32_t>{1, 1}));
  ASSERT_EQ(result.failures.size(), 1U);
  const FailedAttempt row = result.failures.at(0);
  EXPECT_EQ(result.failure_reasons.at(static_cast<std::size_t>(row.reason)), "Job preempted");
  EXPECT_EQ(row.attempt, 1U);
  EXPECT_EQ(row.gpus, 4U);
  EXPECT_EQ(row.time_s, 400);
  EXPECT_EQ(row.run_s, 400);
  EXPECT_EQ(row.lost_s, 400);
  EXPECT_EQ(result.delays.of(DelayCause::fair_share), (std::vector<double>{500, 0}));
}

// Without checkpoints it begins again: all of its 400 s are undone. With checkpoints all the time, nothing is, as
// without failures.
TEST(AttemptsOfTenants, WhatIsUndoneDependsOnTheCheckpoints) {
  SmallWorld world = reclaimed_world();
  world.failure_options.checkpoint_s = infinity;
  EXPECT_EQ(world.run().jobs.finish_s[0], 1900);
  world.failure_options.checkpoint_s = 0;
  EXPECT_EQ(world.run().jobs.finish_s[0], 1500);
  world.failures.clear();
  EXPECT_EQ(world.run().jobs.finish_s[0], 1500);
}

// Twice stopped without checkpoints, no second is counted as lost twice: after 400 s the job begins again at 900, and
// is stopped once more at 1,200, where 300 s are undone, not 700.
TEST(AttemptsOfTenants, WhatIsUndoneIsUndoneOnce) {
  SmallWorld world = reclaimed_world();
  world.failure_options.checkpoint_s = infinity;
  world.add(1150, 2, 500);
  world.jobs[2].tenant = 1;
  world.measure.last = 2;
  const RunResult result = world.run();
  EXPECT_EQ(result.failures.lost_s, (std::vector<double>{1600, 1200}));
  EXPECT_EQ(result.failures.run_s, (std::vector<double>{400, 700}));
  EXPECT_EQ(result.jobs.finish_s[0], 1700 + 1000);
}

// A failed job waits in the queue of its tenant again: while it ran, b borrowed nothing; it fails at 600 s with 500 s
// done (checkpoints each 250 s), and b's job, which is within quota, has its turn first, since b uses nothing.
TEST(AttemptsOfTenants, AFailedJobWaitsInItsTenantsQueue) {
  SmallWorld world = reclaimed_world();
  world.tenants->preempt_occupancy = infinity;
  world.failures = tenants_head + "(attempts that fail),,share,,,,,,80\nbad input,U,job,yes,yes,10,10,10,1\n";
  world.failure_options.checkpoint_s = 250;
  world.failure_options.repeat = 0;
  world.failure_options.scale = 1.25;
  const RunResult result = world.run();
  EXPECT_EQ(result.failures.time_s, (std::vector<double>{600}));
  EXPECT_EQ(result.jobs.start_s[1], 600);
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{1100 + 500, 1100}));
  EXPECT_EQ(result.delays.of(DelayCause::fair_share)[0], 500);
}

// With quotas, ladder, gangs and claims of other tenants: nothing is held twice, whoever passes has held its GPUs for
// its work and for what was undone, of who is given up all is lost, and every second of waiting has one cause, but for
// those between a failure and the next boundary.
TEST(AttemptsOfTenants, TimeHeldIsWorkAndWhatWasLost) {
  std::map<std::string, int> reasons;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = random_full_tenants(seed);
    world.penalty = {1, 1, 1};
    world.failures = seldom_done;
    world.failure_options.seed = seed;
    world.failure_options.late_fails = seed % 5 < 3;
    world.failure_options.checkpoint_s = seed % 3 == 0 ? infinity : seed % 3 == 1 ? 45 : 0;
    world.failure_options.validate_s = seed % 4 == 0 ? 40 : 0;
    const RunResult result = world.run();
    expect_sound(world, result);
    ASSERT_EQ(result.delays.size(), world.jobs.size());
    std::map<std::uint32_t, double> lost, unseen;
    for (std::size_t i = 0; i < result.failures.size(); ++i) {
      const FailedAttempt row = result.failures.at(i);
      const std::string& reason = result.failure_reasons[static_cast<std::size_t>(row.reason)];
      ++reasons[reason];
      EXPECT_GE(row.lost_s, -1e-6);
      if (row.gpus == 0) continue;
      lost[row.job.value] += row.lost_s;
      const bool goes_on = row.time_s < result.jobs.finish_s[row.job.index()];
      if (reason != "Job preempted" && goes_on) unseen[row.job.value] += std::ceil(row.time_s / 30) * 30 - row.time_s;
    }
    for (std::uint32_t j = 0; j < world.jobs.size(); ++j) {
      const Job& job = world.jobs[j];
      ASSERT_EQ(result.jobs.finished[j], 1);
      const double held = result.jobs.exec_s[j] * job.gpus;
      const bool passed = result.jobs.status[j] != JobStatus::unsuccessful;
      const double slack = passed && world.engine.completion == Completion::round ? job.gpus * 30 : 0;
      const double expected = lost[j] + (passed ? job.ideal_s() * job.gpus : 0);
      EXPECT_GE(held, expected - 1e-6) << "job " << j;
      EXPECT_LE(held, expected + slack + 1e-6) << "job " << j;
      double delays_s = 0;
      for (const auto& seconds : result.delays.seconds) delays_s += seconds[j];
      const double first_look_s = std::ceil(job.submit_s / 30) * 30;
      EXPECT_NEAR(delays_s + result.jobs.exec_s[j] + unseen[j], result.jobs.finish_s[j] - first_look_s, 1e-6)
          << "job " << j;
    }
    world.engine.visit_every_boundary = true;
    const RunResult often = world.run();
    expect_same(result, often);
    EXPECT_EQ(result.failures.lost_s, often.failures.lost_s);
  }
  for (const char* reason : {"Job preempted", "bad input", "odd", "link"}) EXPECT_GT(reasons[reason], 20) << reason;
}

// Where no attempt fails and checkpoints are made all the time, tenants meet what they meet without failures.
TEST(AttemptsOfTenants, NoFailuresAreThePlainTenants) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = random_full_tenants(seed);
    const RunResult plain = world.run();
    world.failures = never_fails;
    world.failure_options.checkpoint_s = 0;
    const RunResult result = world.run();
    expect_same(plain, result);
    EXPECT_EQ(plain.delays.seconds, result.delays.seconds);
  }
}

}  // namespace
}  // namespace palstudy
