// SPDX-License-Identifier: MIT
// Attempts that fail while neighbours come and go: a change of pace neither saves work nor loses any.
#include <gtest/gtest.h>

#include <map>

#include "core/numbers.hpp"
#include "sim/expect_runs.hpp"
#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

const std::string shared_head = "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1\n";

// By hand, rounds of 100 s; every attempt fails after 600 s unless its work is done before, and jobs that share the
// node go at half their pace. The first job has 450 s of its 1,000 s done at its checkpoint at 450 s, gets a neighbour
// at 500 and fails at 600: 150 s on two GPUs are undone, not the 100 since the neighbour came. From 600 to 900, when
// the neighbour has done its 200 s at half its pace, it does 150 s, then 150 more up to the checkpoint at 1,050; it
// fails at 1,200, with 150 s undone again, and has 250 s left.
TEST(AttemptsOfNeighbours, AChangeOfPaceIsNoCheckpoint) {
  SmallWorld world;
  world.engine.round_s = 100;
  world.interference = {2, 4};
  world.measure.last = 1;
  world.add(0, 2, 1000);
  world.add(500, 2, 200);
  world.failures = shared_head +
                   "(attempts that fail),,share,,,,,,100\n(jobs that are killed),,share,,,,,,0\n"
                   "bad input,U,job,yes,yes,10,10,10,1\n";
  world.failure_options.late_fails = false;
  world.failure_options.checkpoint_s = 450;
  const RunResult result = world.run();
  EXPECT_EQ(result.failures.time_s, (std::vector<double>{600, 1200}));
  EXPECT_EQ(result.failures.lost_s, (std::vector<double>{300, 300}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{1450, 900}));
}

// With tenants beside: whoever passes has held its GPUs for what was undone, and for its work at full pace at least and
// at the slowest pace at most; looking at boundaries at which nothing happens changes nothing.
TEST(AttemptsOfNeighbours, TimeHeldIsWorkAtSomePaceAndWhatWasLost) {
  std::size_t rows = 0, slowed = 0;
  for (std::uint64_t seed = 2; seed <= 24; seed += 2) {
    SCOPED_TRACE(seed);
    SmallWorld world = random_full_tenants(seed);
    world.penalty = {1, 1, 1};
    world.interference = {1.25, 1.5};
    world.engine.completion = Completion::exact;
    world.failures = shared_head +
                     "(attempts that fail),,share,,,,,,50\n(jobs that are killed),,share,,,,,,10\n"
                     "Job preempted,IF,scheduler,no,no,1,2,3,9\nbad input,U,job,yes,yes,1,3,6,5\n"
                     "link,IF,place,no,no,1,5,9,8\n";
    world.failure_options.seed = seed;
    world.failure_options.checkpoint_s = seed % 6 == 0 ? infinity : 50;
    const RunResult result = world.run();
    std::map<std::uint32_t, double> lost;
    for (std::size_t i = 0; i < result.failures.size(); ++i) {
      lost[result.failures.job[i].value] += result.failures.lost_s[i];
      EXPECT_GE(result.failures.lost_s[i], -1e-6);
    }
    rows += result.failures.size();
    for (std::uint32_t j = 0; j < world.jobs.size(); ++j) {
      const Job& job = world.jobs[j];
      const double held = result.jobs.exec_s[j] * job.gpus - lost[j];
      const double work = result.jobs.status[j] == JobStatus::unsuccessful ? 0 : job.ideal_s() * job.gpus;
      EXPECT_GE(held, work - 1e-6) << "job " << j;
      EXPECT_LE(held, work * 1.5 + 1e-6) << "job " << j;
      slowed += held > work * 1.01 ? 1 : 0;
    }
    world.engine.visit_every_boundary = true;
    const RunResult often = world.run();
    expect_same(result, often);
    EXPECT_EQ(result.failures.lost_s, often.failures.lost_s);
  }
  EXPECT_GT(rows, 300U);
  EXPECT_GT(slowed, 50U);
}

}  // namespace
}  // namespace palstudy
