// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/numbers.hpp"
#include "sim/scheduler/ones/ones_cases.hpp"

namespace palstudy {
namespace {

OnesJob executed_job(std::uint32_t wanted, std::uint32_t limit, double samples, double rate) {
  OnesJob job;
  job.status = OnesStatus::running;
  job.epochs = 2;
  job.wanted = wanted;
  job.limit = limit;
  job.samples = samples;
  job.progress = 0.5;  // so much is left as was done
  job.throughput.add(1, rate);
  return job;
}

// Never more GPUs than there are, no job twice, nobody loses a GPU, nobody gets more than may be. If a GPU is left,
// every new job has one and every executed job all of its limit.
TEST(OnesCounts, PaddingFillsTheClusterAndNoMore) {
  for (std::uint64_t number = 0; number < 500; ++number) {
    OnesCases c(number);
    const OnesSchedule schedule = refreshed(c.schedule(), c.jobs);
    const OnesCounts counts = padded(schedule, c.jobs, fill_order(c.jobs));
    auto had = counted_rows(schedule);
    std::map<std::uint32_t, std::uint32_t> has;
    std::uint32_t used = 0;
    for (const OnesCount& count : counts) {
      EXPECT_TRUE(has.emplace(count.row, count.gpus).second) << "a job twice";
      EXPECT_GE(count.gpus, 1U);
      used += count.gpus;
    }
    EXPECT_LE(used, c.gpus);
    for (std::uint32_t row = 0; row < c.jobs.size(); ++row) {
      const OnesJob& job = c.jobs[row];
      const std::uint32_t most = job.status == OnesStatus::fresh ? 1U : job.executed() ? job.limit : 0U;
      EXPECT_GE(has[row], had[row]);
      EXPECT_LE(has[row], std::max(had[row], most));
      EXPECT_TRUE(used == c.gpus || has[row] >= most) << number;
    }
  }
}

// Six GPUs, job 0 on one of them. The new job 3 comes before all others; job 2 has 100 s left on one GPU, job 0 has
// 200, job 1 has 400. What they want: 2 and 2 and 1; then one GPU is left, and job 2 may have four.
TEST(OnesCounts, PaddingGoesByRemainingTime) {
  const std::vector<OnesJob> jobs = {executed_job(2, 2, 2000, 10), executed_job(1, 8, 4000, 10),
                                     executed_job(1, 4, 1000, 10), OnesJob()};
  EXPECT_EQ(fill_order(jobs), (std::vector<std::uint32_t>{2, 0, 1}));
  const OnesSchedule schedule = {no_job_row, 0, no_job_row, no_job_row, no_job_row, no_job_row};
  EXPECT_EQ(padded(schedule, jobs, fill_order(jobs)), (OnesCounts{{0, 2}, {3, 1}, {2, 2}, {1, 1}}));
}

// Of equal times the earlier job is first.
TEST(OnesCounts, EqualTimesGoByArrival) {
  const std::vector<OnesJob> jobs(5, executed_job(1, 1, 100, 1));
  EXPECT_EQ(fill_order(jobs), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

// Job 0 has 1000 samples left and makes 30/s on three GPUs: 3 x 33.3 GPU-seconds. The new job 1 counts nothing. With a
// GPU of slowdown 1.5 among the three job 0 needs half as long again, whatever GPU job 1 has.
TEST(OnesCounts, UsageIsGpuSecondsThatAreLeft) {
  const std::vector<OnesJob> jobs = {executed_job(1, 1, 1000, 10), OnesJob()};
  EXPECT_DOUBLE_EQ(usage(OnesCounts{{1, 1}, {0, 3}}, jobs), 100);
  const SetSlowdowns slowdowns(4, {1, 1.5, 1, 9});
  EXPECT_DOUBLE_EQ(usage({0, 0, 0, 1}, jobs, slowdowns), 150);
  EXPECT_DOUBLE_EQ(usage({0, 1, 0, no_job_row}, jobs, slowdowns), 100);
}

// A slowdown of 1 everywhere changes no score, to the last bit; nor does the place of a job.
TEST(OnesCounts, UsageDependsOnCountsAlone) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    OnesCases c(number);
    const OnesCounts counts = padded(refreshed(c.schedule(), c.jobs), c.jobs, fill_order(c.jobs));
    const OnesCounts reversed(counts.rbegin(), counts.rend());
    const SetSlowdowns even(c.gpus, std::vector<double>(c.gpus, 1.0));
    EXPECT_EQ(usage(counts, c.jobs), usage(reversed, c.jobs));
    EXPECT_EQ(usage(counts, c.jobs), usage(one_after_another(counts, c.gpus), c.jobs, even));
  }
}

// The lowest scores, equals by member: as a stable sort has them, whatever the scores.
TEST(OnesCounts, SelectionKeepsTheLowest) {
  EXPECT_EQ(lowest(std::vector<double>{3, 1, infinity, 1, 0}, 3), (std::vector<std::uint32_t>{4, 1, 3}));
  for (std::uint64_t number = 0; number < 100; ++number) {
    OnesCases c(number);
    std::vector<double> scores;
    for (int i = 0; i < 48; ++i) scores.push_back(std::floor(10 * c.uniform()));
    std::vector<std::uint32_t> all(scores.size());
    std::iota(all.begin(), all.end(), 0U);
    std::ranges::stable_sort(all, {}, [&](std::uint32_t m) { return scores[m]; });
    all.resize(16);
    EXPECT_EQ(lowest(scores, 16), all);
  }
}

}  // namespace
}  // namespace palstudy
