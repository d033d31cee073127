// SPDX-License-Identifier: MIT
// Tenants with quotas: who starts, who borrows, who is stopped, and what waiting is put down to. The small examples are
// worked out by hand; rounds are of 100 s and all GPUs are alike, so a job of s seconds runs for s seconds.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "sim/expect_runs.hpp"
#include "sim/tenant_world.hpp"

namespace palstudy {
namespace {

std::vector<double> starts(const RunResult& result) { return result.jobs.start_s; }

// 4 GPUs, quotas 2 and 2. Tenant a comes first with three jobs of 2 GPUs, b second with one of 2. The first of a is
// within quota (share 0, as b's, and a is lower). Then a's share is 1 and b's 0: b's job is within quota and starts;
// nothing is left to borrow. By arrival alone, a's second job would have started instead of b's. Job 1 follows job 0 at
// 300, and job 2 borrows what b leaves at 500.
TEST(Tenants, TheLeastShareOfQuotaIsNext) {
  SmallWorld world = two_tenants(2, 2);
  for (int i = 0; i < 3; ++i) add_of(world, 0, 0, 2, 300);
  add_of(world, 1, 0, 2, 500);
  const RunResult result = world.run();
  EXPECT_EQ(starts(result), (std::vector<double>{0, 300, 500, 0}));
}

// The same with b's job arriving later: until then a borrows what is idle, all 4 GPUs. At 300 both of a's jobs end;
// within quota are one job of a and b's; b's share and a's are both 0, and a is lower: both start. Nobody is stopped.
TEST(Tenants, IdleGpusAreBorrowed) {
  SmallWorld world = two_tenants(2, 2);
  for (int i = 0; i < 3; ++i) add_of(world, 0, 0, 2, 300);
  add_of(world, 1, 100, 2, 500);
  const RunResult result = world.run();
  EXPECT_EQ(starts(result), (std::vector<double>{0, 0, 300, 300}));
  EXPECT_EQ(result.metric(Metric::preemptions), 0);
  // Job 2 would have taken a over quota and found nothing to borrow; b's was within quota, and had no placement.
  EXPECT_EQ(waited(result, DelayCause::fair_share, 2), 300);
  EXPECT_EQ(waited(result, DelayCause::fragmentation, 2), 0);
  EXPECT_EQ(waited(result, DelayCause::fair_share, 3), 0);
  EXPECT_EQ(waited(result, DelayCause::fragmentation, 3), 200);
}

// The same with preemption from 90 % on: at 100, b's job of 2 GPUs is within quota, all 4 are in use, and a is over
// quota by 2. The last started of a's is stopped; both started at 0, so the later id: job 1. It has 200 s of its 300
// left, and goes on at 300, when job 0 ends: a is then within quota with one job at a time. Job 2 follows at 500.
TEST(Tenants, TheLastStartedOfThoseOverQuotaIsStopped) {
  SmallWorld world = two_tenants(2, 2);
  for (int i = 0; i < 3; ++i) add_of(world, 0, 0, 2, 300);
  add_of(world, 1, 100, 2, 900);
  world.tenants->preempt_occupancy = 0.9;
  const RunResult result = world.run();
  EXPECT_EQ(starts(result), (std::vector<double>{0, 0, 500, 100}));
  EXPECT_EQ(result.jobs.preemptions, (std::vector<std::uint32_t>{0, 1, 0, 0}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{300, 500, 800, 1000}));
  EXPECT_EQ(waited(result, DelayCause::fair_share, 1), 200);
}

// a may only borrow, and has all 4 GPUs. At 100 its job is stopped for one of b that wants 2, so that 2 are free in the
// midst of the boundary: nobody borrows them yet. At 200 a's second job does; the first goes on at 600, when b's ends.
TEST(Tenants, WhatBecomesFreeInBetweenIsBorrowedAtTheNextBoundary) {
  SmallWorld world = two_tenants(0, 4);
  world.tenants->preempt_occupancy = 0.5;
  add_of(world, 0, 0, 4, 300);
  add_of(world, 0, 100, 2, 100);
  add_of(world, 1, 100, 2, 500);
  const RunResult result = world.run();
  EXPECT_EQ(starts(result), (std::vector<double>{0, 200, 100}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{800, 300, 600}));
  EXPECT_EQ(result.jobs.preemptions, (std::vector<std::uint32_t>{1, 0, 0}));
  EXPECT_EQ(waited(result, DelayCause::fair_share, 1), 100);
}

// 8 GPUs: a, entitled to 3, has 4, and b its 2. c's job of all 8 is within quota, and stopping one of a's for it would
// not be enough, so it runs on, and a is as far over quota as before. Two GPUs are left to borrow: b, at its quota, is
// before a, at 4/3 of it, whose job waits until b's is over.
TEST(Tenants, WhoIsNotStoppedAfterAllStillUsesItsGpus) {
  SmallWorld world = two_tenants(3, 2);
  world.nodes = 2;
  world.tenant_names = {"a", "b", "c"};
  world.tenants->quota = {3, 2, 8};
  world.tenants->preempt_occupancy = 0.5;
  for (const std::uint16_t tenant : std::vector<std::uint16_t>{0, 0, 1}) add_of(world, tenant, 0, 2, 1000);
  add_of(world, 2, 100, 8, 100);
  add_of(world, 0, 100, 1, 100);
  add_of(world, 1, 100, 2, 100);
  const RunResult result = world.run();
  EXPECT_EQ(starts(result), (std::vector<double>{0, 0, 0, 1000, 200, 100}));
  EXPECT_EQ(result.metric(Metric::preemptions), 0);
}

// 8 GPUs: a, entitled to 4, runs 6, which is 75 %. b's job of 4 is within quota and does not fit. From 70 % on one of
// a's jobs is stopped for it; from 90 % on it has to wait.
TEST(Tenants, NobodyIsStoppedBelowTheThreshold) {
  for (const double threshold : {0.7, 0.9}) {
    SmallWorld world = two_tenants(4, 4);
    world.nodes = 2;
    for (int i = 0; i < 3; ++i) add_of(world, 0, 0, 2, 1000);
    add_of(world, 1, 100, 4, 100);
    world.tenants->preempt_occupancy = threshold;
    const RunResult result = world.run();
    EXPECT_EQ(result.jobs.preemptions, (std::vector<std::uint32_t>{0, 0, threshold < 0.8 ? 1U : 0U, 0})) << threshold;
    EXPECT_EQ(result.jobs.start_s[3], threshold < 0.8 ? 100 : 1000) << threshold;
  }
}

// a is over quota by one job of 2 GPUs; stopping it alone would leave b's job of 4 without enough, and then a would be
// within quota: no job is stopped in vain.
TEST(Tenants, NobodyIsStoppedInVain) {
  SmallWorld world = two_tenants(2, 4);
  for (int i = 0; i < 2; ++i) add_of(world, 0, 0, 2, 1000);
  add_of(world, 1, 100, 4, 100);
  world.tenants->preempt_occupancy = 0.5;
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.preemptions, (std::vector<std::uint32_t>{0, 0, 0}));
  EXPECT_EQ(result.jobs.start_s[2], 1000);
}

// Out of order: a's first waiting job wants 4 GPUs, of which 2 are free; the one behind it wants 2.
TEST(Tenants, AJobThatDoesNotFitHoldsUpNobody) {
  SmallWorld world = two_tenants(4, 0);
  add_of(world, 0, 0, 2, 500);
  add_of(world, 0, 100, 4, 100);
  add_of(world, 0, 100, 2, 100);
  EXPECT_EQ(starts(world.run()), (std::vector<double>{0, 500, 100}));
}

// A tenant without quota starts jobs only where nobody within quota could use the GPUs: b's job of 2 arrived first.
TEST(Tenants, WhoHasNoQuotaBorrows) {
  SmallWorld world = two_tenants(4, 0);
  add_of(world, 1, 0, 4, 100);
  add_of(world, 0, 0, 3, 300);
  add_of(world, 1, 0, 1, 100);
  EXPECT_EQ(starts(world.run()), (std::vector<double>{300, 0, 0}));
}

// One tenant without limit, no ladder, no gangs, is no tenant at all: the same events to the last bit as the plain
// engine with greedy backfill, whatever the placement.
TEST(Tenants, OneWithoutLimitIsThePlainEngine) {
  for (const auto& placement : placements().names()) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SmallWorld world = random_tenants(seed);
      for (Job& job : world.jobs) job.tenant = 0;
      world.tenant_names = {""};
      world.placement = placement;
      world.tenants.reset();
      const RunResult plain = world.run();
      world.tenants.emplace();
      world.tenants->quota = {std::numeric_limits<double>::infinity()};
      const RunResult tenant = world.run();
      SCOPED_TRACE(placement + ", seed " + std::to_string(seed));
      expect_same(plain, tenant);
      EXPECT_EQ(plain.events.job, tenant.events.job);
      EXPECT_EQ(plain.counts.placements, tenant.counts.placements);
      EXPECT_EQ(plain.delays.size(), 0U);
    }
  }
}

// With everything on: no GPU is held twice and gangs start whole; every second of waiting, from the first boundary
// after the arrival on, has one cause; looking at boundaries at which nothing can change changes nothing.
TEST(Tenants, RandomRunsAreSoundAndWaitForAReason) {
  std::array<double, delay_causes> sum{};
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = random_full_tenants(seed);
    const RunResult result = world.run();
    expect_sound(world, result);
    ASSERT_EQ(result.delays.size(), world.jobs.size());
    for (std::size_t j = 0; j < world.jobs.size(); ++j) {
      double delays_s = 0;
      for (std::size_t c = 0; c < delay_causes; ++c) {
        delays_s += result.delays.seconds[c][j];
        sum[c] += result.delays.seconds[c][j];
      }
      const double first_look_s = std::ceil(world.jobs[j].submit_s / 30) * 30;
      const double held_s = result.jobs.exec_s[j];
      // Where a job was stopped, or its exact finish lies between boundaries, it still either runs or waits.
      EXPECT_NEAR(delays_s + held_s, result.jobs.finish_s[j] - first_look_s, 1e-6) << "job " << j;
    }
    world.engine.visit_every_boundary = true;
    const RunResult often = world.run();
    expect_same(result, often);
    for (std::size_t c = 0; c < delay_causes; ++c) {
      for (std::size_t j = 0; j < world.jobs.size(); ++j) {
        EXPECT_NEAR(result.delays.seconds[c][j], often.delays.seconds[c][j], 1e-9) << "cause " << c << ", job " << j;
      }
    }
  }
  for (const double seconds : sum) EXPECT_GT(seconds, 0) << "a cause that never happened tests nothing";
}

/// Tenant i becomes (i + 1) mod 3, with its quota.
SmallWorld renamed_tenants(SmallWorld world) {
  const std::vector<double> quota = world.tenants->quota;
  for (std::size_t tenant = 0; tenant < 3; ++tenant) world.tenants->quota[(tenant + 1) % 3] = quota[tenant];
  for (Job& job : world.jobs) job.tenant = static_cast<std::uint16_t>((job.tenant + 1) % 3);
  return world;
}

// Tenants are names: with the names changed, each job has the same run and waits for the same reasons. Equal shares
// alone are ordered by name. There are none here: every tenant has a job that runs until all others have ended (none is
// too wide for that), so that none has a share of 0, and no two of 8.1, 10.3 and 6.7 have equal quotients of up to 24
// GPUs.
TEST(Tenants, NamesDecideNothing) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    SmallWorld world = random_full_tenants(seed);
    for (Job& job : world.jobs) job.id += 3, job.submit_s += 90, job.gpus = std::min(job.gpus, 6U);
    std::vector<Job> drawn;
    drawn.swap(world.jobs);
    for (std::uint16_t tenant = 0; tenant < 3; ++tenant) add_of(world, tenant, 30.0 * tenant, 1, 1e6);
    world.jobs.insert(world.jobs.end(), drawn.begin(), drawn.end());
    world.tenants->quota = {8.1, 10.3, 6.7};
    const RunResult result = world.run(), renamed = renamed_tenants(world).run();
    expect_same(result, renamed);
    for (std::size_t c = 0; c < delay_causes; ++c) EXPECT_EQ(result.delays.seconds[c], renamed.delays.seconds[c]);
    SmallWorld other_quota = renamed_tenants(world);
    other_quota.tenants->quota = world.tenants->quota;
    EXPECT_NE(other_quota.run().jobs.finish_s, result.jobs.finish_s) << "whose a job is does not matter at all";
  }
}

// At no boundary does a job borrow while another waits within quota for GPUs that were there: told from the events
// alone, for quotas without ladder and gangs, where any free GPUs will do.
TEST(Tenants, NobodyBorrowsWhatOneWithinQuotaCouldUse) {
  int borrowed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SmallWorld world = random_tenants(seed);
    const RunResult result = world.run();
    std::map<std::uint32_t, bool> runs;  // jobs that have arrived
    std::vector<double> used(3, 0);
    std::size_t i = 0;
    for (std::int64_t k = 0; i < result.events.size(); ++k) {
      const double now = static_cast<double>(k) * 30;
      for (std::uint32_t j = 0; j < world.jobs.size(); ++j) {
        if (world.jobs[j].submit_s <= now) runs.emplace(j, false);
      }
      std::vector<std::uint32_t> launched;
      double free = 24;
      for (; i < result.events.size() && result.events.time_s[i] <= now; ++i) {
        const std::uint32_t j = result.events.job[i].value;
        const bool launch = result.events.kind[i] == EventKind::launch;
        used[world.jobs[j].tenant] += launch ? world.jobs[j].gpus : -1.0 * world.jobs[j].gpus;
        if (launch) runs[j] = true, launched.push_back(j);
        if (!launch) runs.erase(j), world.jobs[j].submit_s = 1e9;  // is over
      }
      for (const double gpus : used) free -= gpus;
      double beyond = 0;  // of what was launched now
      for (const std::uint32_t j : launched) {
        const auto tenant = world.jobs[j].tenant;
        if (used[tenant] > world.tenants->quota[tenant]) beyond += world.jobs[j].gpus, ++borrowed;
      }
      for (const auto& [j, running] : runs) {
        const Job& job = world.jobs[j];
        if (running || used[job.tenant] + job.gpus > world.tenants->quota[job.tenant]) continue;
        EXPECT_GT(job.gpus, free) << "job " << j << " waits at " << now;
        if (beyond > 0 && launched.size() == 1) {
          EXPECT_GT(job.gpus, free + beyond) << "job " << j << " waits at " << now << " while another borrows";
        }
      }
    }
  }
  EXPECT_GT(borrowed, 20);
}

}  // namespace
}  // namespace palstudy
