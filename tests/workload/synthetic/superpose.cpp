// SPDX-License-Identifier: MIT
// A trace laid over itself: how many jobs come, when, and under which ids.
#include "workload/synthetic/superpose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "core/error.hpp"

namespace palstudy {
namespace {

constexpr double copied_day_s = 86400;

/// A job before the window of four days, `jobs` in it at each hour, and one behind it.
Workload hourly(int jobs) {
  Workload workload;
  const auto add = [&](double submit_s) {
    Job job;
    job.id = static_cast<std::int64_t>(workload.jobs.size());
    job.submit_s = submit_s;
    job.gpus = static_cast<std::uint32_t>(1 + workload.jobs.size() % 7);
    job.iterations = 10;
    job.iteration_s = 1;
    workload.jobs.push_back(job);
  };
  add(0);
  for (int i = 0; i < jobs; ++i) add(copied_day_s + 4 * copied_day_s * i / jobs);
  add(5 * copied_day_s);
  return workload;
}

// Two copies of a window of four days: the second is shifted by two days in the circle, so a job of day 1 comes on day
// 3 as well, and one of day 4 on day 2; what lies outside comes once. Each copy has ids of its own, and the hour of the
// day stays.
TEST(Superpose, CopiesAreShiftedInACircle) {
  Workload workload = hourly(8);  // every 12 hours, ids 1..8
  superpose(workload, {2, copied_day_s, 4 * copied_day_s, 1});
  ASSERT_EQ(workload.jobs.size(), 18u);
  std::set<std::int64_t> ids;
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    const Job& job = workload.jobs[j];
    EXPECT_TRUE(ids.insert(job.id).second);
    EXPECT_TRUE(j == 0 || workload.jobs[j - 1].submit_s <= job.submit_s);
    if (job.id < 10) continue;
    const std::int64_t original = job.id - 10;  // ids run to 9
    EXPECT_EQ(job.gpus, 1 + original % 7);
    const double own_s = copied_day_s + static_cast<double>(original - 1) * copied_day_s / 2;
    EXPECT_EQ(job.submit_s, own_s < 3 * copied_day_s ? own_s + 2 * copied_day_s : own_s - 2 * copied_day_s) << job.id;
  }
}

// Half of a window of five days is two days and a half; the copies are shifted by two, so that they keep their hours of
// the day. In a window of a day a shift cannot be whole days: it is half of it.
TEST(Superpose, ShiftsAreWholeDaysWhereThereAreEnough) {
  const auto copied = [](double days, int jobs) {
    Workload workload;
    for (int i = 0; i < jobs; ++i) {
      Job job;
      job.id = i;
      job.submit_s = days * copied_day_s * i / jobs;
      workload.jobs.push_back(job);
    }
    superpose(workload, {2, 0, days * copied_day_s, 1});
    std::vector<double> submit_s(static_cast<std::size_t>(jobs));
    for (const Job& job : workload.jobs) {
      if (job.id >= jobs) submit_s.at(static_cast<std::size_t>(job.id - jobs)) = job.submit_s / copied_day_s;
    }
    return submit_s;
  };
  EXPECT_EQ(copied(5, 10), (std::vector<double>{2, 2.5, 3, 3.5, 4, 4.5, 0, 0.5, 1, 1.5}));
  EXPECT_EQ(copied(1, 4), (std::vector<double>{0.5, 0.75, 0, 0.25}));
}

// Of 2.25 copies the third has about a quarter of the jobs, drawn by seed; the same for the same seed, and nothing that
// an earlier copy has depends on it.
TEST(Superpose, ABrokenCopyIsDrawn) {
  const auto count = [](double copies, std::uint64_t seed) {
    Workload workload = hourly(4000);
    superpose(workload, {copies, copied_day_s, 4 * copied_day_s, seed});
    return workload.jobs.size();
  };
  const std::size_t two = count(2, 1);
  EXPECT_EQ(two, 8002u);
  const double third = static_cast<double>(count(2.25, 1) - two);
  EXPECT_NEAR(third, 1000, 5 * std::sqrt(4000 * 0.25 * 0.75));
  EXPECT_EQ(count(2.25, 1), count(2.25, 1));
  EXPECT_NE(count(2.25, 1), count(2.25, 2));
}

// One copy is the trace itself; ids that the copies would take beyond what can be stored are refused.
TEST(Superpose, OneCopyChangesNothing) {
  Workload workload = hourly(5);
  superpose(workload, {1, 0, copied_day_s, 1});
  EXPECT_EQ(workload.jobs.size(), 7u);
  workload.jobs[3].id = 900'000'000'000;
  EXPECT_THROW(superpose(workload, {2, 0, copied_day_s, 1}), Error);
  workload.jobs[3].id = 500'000'000'000;
  EXPECT_THROW(superpose(workload, {2, 0, copied_day_s, 1}), Error);
  workload.jobs[3].id = 499'999'999'999;
  EXPECT_NO_THROW(superpose(workload, {2, 0, copied_day_s, 1}));
}

// What is not copied is left as it is, whatever its ids are and in whatever order.
TEST(Superpose, OneCopyAsksForNoIds) {
  Workload workload = hourly(5);
  workload.jobs[1].id = 2'000'000'000'000;
  std::swap(workload.jobs[0], workload.jobs[6]);
  EXPECT_NO_THROW(superpose(workload, {1, 0, copied_day_s, 1}));
  EXPECT_EQ(workload.jobs[0].submit_s, 5 * copied_day_s);
  EXPECT_EQ(workload.jobs[6].submit_s, 0);
}

}  // namespace
}  // namespace palstudy
