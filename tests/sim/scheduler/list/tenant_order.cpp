// SPDX-License-Identifier: MIT
// The order of tenants against its slow, obvious twin: look at all of them before every job.
#include "sim/scheduler/list/tenant_order.hpp"

#include <gtest/gtest.h>

#include "core/numbers.hpp"
#include "core/random.hpp"

namespace palstudy {
namespace {

struct SlowTenantOrder {
  TenantRules rules;
  std::vector<std::vector<JobId>> jobs;
  std::vector<std::uint64_t> used;

  /// The first job of the tenant with jobs whose share is least; ties: the lowest tenant.
  std::optional<std::pair<std::uint16_t, JobId>> next() {
    std::optional<std::uint16_t> best;
    for (std::uint16_t t = 0; t < jobs.size(); ++t) {
      if (!jobs[t].empty() && (!best || rules.share(t, used[t]) < rules.share(*best, used[*best]))) best = t;
    }
    if (!best) return std::nullopt;
    const JobId job = jobs[*best].front();
    jobs[*best].erase(jobs[*best].begin());
    return std::pair(*best, job);
  }
};

// Random queues and quotas (none and no limit among them); each job that is given starts with a chance, and now and
// then a tenant loses GPUs, as if its job were stopped for another.
TEST(TenantOrder, IsThatOfTheSlowTwin) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomStream random(seed, Purpose::job_shape, 1);
    SlowTenantOrder slow;
    const std::uint32_t count = 1 + random.below(6);
    for (std::uint32_t t = 0; t < count; ++t) {
      const std::uint32_t kind = random.below(8);
      slow.rules.quota.push_back(kind == 0 ? 0.0 : kind == 1 ? infinity : 1.0 + random.below(20));
      slow.used.push_back(random.below(15));
    }
    slow.jobs.resize(count);
    TenantOrder tenants(slow.rules);
    tenants.begin(slow.used);
    for (std::uint32_t j = 0; j < 40; ++j) {
      const auto tenant = static_cast<std::uint16_t>(random.below(count));
      slow.jobs[tenant].push_back(JobId(j));
      tenants.add(tenant, JobId(j));
    }
    tenants.serve(
        true, [](JobId) { return 0U; },
        [&](JobId job, std::uint32_t) {
          const auto expected = slow.next();
          ASSERT_TRUE(expected);
          ASSERT_EQ(job, expected->second) << "seed " << seed;
          if (random.below(3) != 0) return;
          const auto loser = static_cast<std::uint16_t>(random.below(count));
          if (loser != expected->first && slow.used[loser] > 0) --slow.used[loser], tenants.use(loser, -1);
          const std::uint32_t gpus = 1 + random.below(4);
          slow.used[expected->first] += gpus;
          tenants.use(expected->first, gpus);
        });
    EXPECT_FALSE(slow.next()) << "a tenant was left out";
  }
}

// A tenant with a quota of 4 GPUs has jobs of 3, 2, 1 and 2: the first and the third keep it within quota. Those passed
// over come when jobs may borrow, in their order; after that none is left.
TEST(TenantOrder, JobsOverQuotaComeWhenTheyMayBorrow) {
  const TenantRules rules{.quota = {4}};
  const std::vector<std::uint32_t> gpus = {3, 2, 1, 2};
  TenantOrder tenants(rules);
  tenants.begin({0});
  for (std::uint32_t j = 0; j < 4; ++j) tenants.add(0, JobId(j));
  std::vector<JobId> served;
  const auto serve = [&](bool borrowing) {
    served.clear();
    tenants.serve(
        borrowing, [&](JobId job) { return gpus[job.index()]; },
        [&](JobId job, std::uint32_t more) {
          served.push_back(job);
          tenants.use(0, more);
        });
    return served;
  };
  EXPECT_EQ(serve(false), (std::vector{JobId(0), JobId(2)}));
  EXPECT_EQ(serve(true), (std::vector{JobId(1), JobId(3)}));
  EXPECT_TRUE(serve(true).empty());
}

}  // namespace
}  // namespace palstudy
