// SPDX-License-Identifier: MIT
// A trace made again of its own days, weeks or users: what every such trace has to keep of the first.
#include "workload/synthetic/resample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "workload/trace/job_fields.hpp"

namespace palstudy {
namespace {

/// Six jobs a day at uneven times, from day 2 on; `Job::iterations` numbers them, `Job::user` goes round five users.
Workload daily(int days) {
  Workload workload;
  workload.users = {"", "a", "b", "c", "d"};
  workload.tenants = {""};
  for (int i = 0; i < 6 * days; ++i) {
    Job job;
    job.id = 1000 + i;
    job.submit_s = 2 * day_s + std::floor(i / 6.0) * day_s + 100.0 + 7919.0 * (i % 6);
    job.gpus = static_cast<std::uint32_t>(1 + i % 7);
    job.iterations = i + 1;
    job.iteration_s = 1;
    job.user = static_cast<std::uint32_t>(i % 5);
    workload.jobs.push_back(job);
  }
  return workload;
}

Workload drawn(Workload workload, Resampling how, std::uint64_t seed) {
  resample(workload, how, seed);
  return workload;
}

/// The job of the trace that a job of the resample is.
const Job& origin(const Workload& trace, const Job& job) {
  return trace.jobs.at(static_cast<std::size_t>(job.iterations) - 1);
}

std::vector<double> whole(const Workload& workload) {
  std::vector<double> all;
  for (const Job& job : workload.jobs) all.insert(all.end(), {job.submit_s, job.iterations});
  return all;
}

// Every job is one of the trace, shifted by whole days, with all that it was; ids count in the order of arrival, and no
// arrival is before the first day or after the last. Six jobs a day stay six jobs a day.
TEST(Resample, JobsAreThoseOfTheTraceShiftedByWholeDays) {
  const Workload trace = daily(10);
  const Workload again = drawn(trace, Resampling::days, 3);
  ASSERT_EQ(again.jobs.size(), trace.jobs.size());
  std::map<double, int> of_day;
  for (std::size_t j = 0; j < again.jobs.size(); ++j) {
    const Job& job = again.jobs[j];
    const Job& from = origin(trace, job);
    EXPECT_EQ(job.id, static_cast<std::int64_t>(j));
    EXPECT_EQ(job.gpus, from.gpus);
    EXPECT_EQ(std::fmod(job.submit_s - from.submit_s, day_s), 0);
    EXPECT_TRUE(j == 0 || again.jobs[j - 1].submit_s <= job.submit_s);
    ++of_day[midnight_s(job.submit_s) / day_s];
  }
  ASSERT_EQ(of_day.size(), 10u);
  EXPECT_EQ(of_day.begin()->first, 2);
  for (const auto& [day, jobs] : of_day) EXPECT_EQ(jobs, 6) << day;
}

TEST(Resample, TheSeedDecides) {
  for (const Resampling how : {Resampling::days, Resampling::weeks, Resampling::users}) {
    const Workload trace = daily(70);
    EXPECT_EQ(whole(drawn(trace, how, 1)), whole(drawn(trace, how, 1)));
    EXPECT_NE(whole(drawn(trace, how, 1)), whole(drawn(trace, how, 2)));
  }
  EXPECT_EQ(whole(drawn(daily(9), Resampling::none, 1)), whole(daily(9)));
}

// A draw gives each block with the same probability, as often as there are positions: over many seeds a job comes once
// on average, and its number of times has the variance of a binomial, just under 1.
TEST(Resample, EveryBlockComesOnceOnAverage) {
  constexpr int seeds = 400;
  for (const Resampling how : {Resampling::days, Resampling::weeks, Resampling::users}) {
    const Workload trace = daily(70);
    std::map<double, int> times;
    for (int seed = 1; seed <= seeds; ++seed) {
      for (const Job& job : drawn(trace, how, static_cast<std::uint64_t>(seed)).jobs) ++times[job.iterations];
    }
    EXPECT_EQ(times.size(), trace.jobs.size());
    for (const auto& [job, count] : times) EXPECT_NEAR(count, seeds, 5 * std::sqrt(seeds)) << job;
  }
}

// From 28 days on a day takes the place of one of its own weekday; of 27 days, of any.
TEST(Resample, LongTracesKeepTheirWeekdays) {
  const auto off_weekday = [](int days) {
    const Workload trace = daily(days);
    int off = 0;
    for (const Job& job : drawn(trace, Resampling::days, 1).jobs) {
      off += std::fmod(job.submit_s - origin(trace, job).submit_s, 7 * day_s) != 0;
    }
    return off;
  };
  EXPECT_EQ(off_weekday(28), 0);
  EXPECT_GT(off_weekday(27), 0);
  const TraceBlocks blocks = trace_blocks(daily(28), Resampling::days);
  EXPECT_EQ(blocks.text(), "28 days");
  EXPECT_EQ(blocks.degrees(), 21);
  EXPECT_DOUBLE_EQ(blocks.widening(), 4.0 / 3.0);  // four of each weekday: their draws have 3/4 of the variance
}

// 17 days are two weeks, which are drawn, and three days that stay; the variance is that of 14 days of the 17.
TEST(Resample, DaysBehindTheLastWholeWeekStay) {
  const Workload trace = daily(17);
  const TraceBlocks blocks = trace_blocks(trace, Resampling::weeks);
  EXPECT_EQ(blocks.blocks, 2u);
  EXPECT_EQ(blocks.tail_days, 3u);
  EXPECT_DOUBLE_EQ(blocks.widening(), 2.0 * 17 / 14);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const Job& job : drawn(trace, Resampling::weeks, seed).jobs) {
      const double shift_s = job.submit_s - origin(trace, job).submit_s;
      EXPECT_EQ(std::fmod(shift_s, 7 * day_s), 0);
      if (job.iterations > 14 * 6) {
        EXPECT_EQ(shift_s, 0);
      }
    }
  }
}

// A user comes with all jobs, at their own times, as often as drawn; jobs that name no user stay. Four users are drawn.
TEST(Resample, UsersComeWhole) {
  const Workload trace = daily(10);
  EXPECT_EQ(trace_blocks(trace, Resampling::users).blocks, 4u);
  std::map<double, int> times;
  for (const Job& job : drawn(trace, Resampling::users, 5).jobs) {
    EXPECT_EQ(job.submit_s, origin(trace, job).submit_s);
    ++times[job.iterations];
  }
  std::map<std::uint32_t, std::set<int>> of_user;
  for (const Job& job : trace.jobs) of_user[job.user].insert(times[job.iterations]);
  int together = 0;
  for (const auto& [user, counts] : of_user) {
    ASSERT_EQ(counts.size(), 1u) << user;
    if (user != 0) together += *counts.begin();
  }
  EXPECT_EQ(together, 4);
  EXPECT_EQ(*of_user[0].begin(), 1);
  Workload nobody = trace;
  nobody.users.clear();
  EXPECT_EQ(trace_blocks(nobody, Resampling::users).blocks, 0u);
}

// Ties between tenants go by their numbers, so these are those that a reader of the drawn jobs gives: the names stay.
TEST(Resample, TenantsAreNumberedAsTheyCome) {
  Workload trace = daily(20);
  trace.tenants = {"a", "b", "c", "idle"};
  for (Job& job : trace.jobs) job.tenant = static_cast<std::uint16_t>(static_cast<int>(job.iterations) / 9 % 3);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Workload jobs = drawn(trace, Resampling::days, seed);
    std::uint16_t next = 0;
    for (const Job& job : jobs.jobs) {
      EXPECT_LE(job.tenant, next);
      next = std::max(next, static_cast<std::uint16_t>(job.tenant + 1));
      EXPECT_EQ(jobs.tenants.at(job.tenant), trace.tenants.at(origin(trace, job).tenant));
    }
    EXPECT_EQ(jobs.tenants.back(), "idle");
  }
}

// What is drawn, how much of it there is, and how much of that is no evidence. Of 20 days the 4th to the 14th have no
// jobs, and with them the second week; the nine others vary freely but for their mean.
TEST(Resample, SaysWhatThereIsToDraw) {
  EXPECT_EQ(trace_blocks(daily(1), Resampling::days).text(), "1 day");
  EXPECT_EQ(trace_blocks(daily(7), Resampling::weeks).text(), "1 whole week");
  EXPECT_EQ(trace_blocks(daily(20), Resampling::weeks).text(), "2 whole weeks");
  EXPECT_EQ(trace_blocks(daily(20), Resampling::users).text(), "4 users");
  Workload gaps = daily(20);
  std::erase_if(gaps.jobs, [](const Job& job) {
    const double day = std::floor(job.submit_s / day_s) - 2;
    return day >= 3 && day < 14;
  });
  const TraceBlocks days = trace_blocks(gaps, Resampling::days);
  EXPECT_EQ(days.text(), "20 days, 11 of them without jobs");
  EXPECT_EQ(days.used(), 9U);
  EXPECT_EQ(days.degrees(), 8);
  EXPECT_DOUBLE_EQ(days.widening(), 9.0 / 8);
  EXPECT_EQ(trace_blocks(gaps, Resampling::weeks).text(), "2 whole weeks, 1 of them without jobs");
  for (const Resampling how : {Resampling::none, Resampling::days, Resampling::weeks, Resampling::users}) {
    EXPECT_EQ(resampling_named(std::string(name_of(how))), how);
  }
  EXPECT_THROW((void)resampling_named("months"), Error);
}

}  // namespace
}  // namespace palstudy
