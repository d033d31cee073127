// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/limits.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace palstudy {
namespace {

OnesGrowth running(std::uint32_t gpus, std::uint32_t limit, std::uint32_t epochs_since_change) {
  OnesGrowth job;
  job.status = OnesStatus::running;
  job.gpus = gpus;
  job.limit = limit;
  job.requested = 16;
  job.epochs_since_change = epochs_since_change;
  return job;
}

OnesGrowth with_limits(OnesGrowth job, std::uint32_t cluster_gpus) {
  std::vector<OnesGrowth> jobs = {job};
  set_limits(jobs, cluster_gpus, 1e9);  // nobody has run that long
  return jobs.front();
}

// The limit doubles once a job has done two epochs on all of its GPUs, up to those that there are.
TEST(OnesLimits, DoubleAfterTwoEpochsOnAllGpus) {
  EXPECT_EQ(with_limits(running(2, 2, 2), 64).limit, 4U);
  EXPECT_EQ(with_limits(running(2, 2, 2), 64).wanted, 4U);
  EXPECT_EQ(with_limits(running(2, 2, 1), 64).limit, 2U) << "one epoch since the count changed, whatever came before";
  EXPECT_EQ(with_limits(running(2, 2, 1), 64).wanted, 2U);
  EXPECT_EQ(with_limits(running(2, 4, 9), 64).limit, 4U) << "it has not all of its limit";
  EXPECT_EQ(with_limits(running(2, 4, 9), 64).wanted, 4U);
  EXPECT_EQ(with_limits(running(8, 8, 2), 12).limit, 12U);
}

// Four times what the user requested is enough.
TEST(OnesLimits, NobodyWantsMoreThanFourTimesTheRequested) {
  OnesGrowth job = running(8, 8, 2);
  job.requested = 3;
  EXPECT_EQ(with_limits(job, 64).limit, 16U);
  EXPECT_EQ(with_limits(job, 64).wanted, 12U);
}

// Stopped jobs want their limit, new and complete ones nothing.
TEST(OnesLimits, OfJobsThatDoNotRun) {
  OnesGrowth job = running(0, 4, 9);
  job.status = OnesStatus::stopped;
  EXPECT_EQ(with_limits(job, 64).wanted, 4U);
  EXPECT_EQ(with_limits(job, 64).limit, 4U);
  for (const OnesStatus status : {OnesStatus::fresh, OnesStatus::complete}) {
    job.status = status;
    EXPECT_EQ(with_limits(job, 64).wanted, 0U);
  }
  EXPECT_EQ(limit_passed_over(8), 4U);
  EXPECT_EQ(limit_passed_over(3), 1U);
  EXPECT_EQ(limit_passed_over(1), 1U);
}

// Jobs 0 and 1 have 10 of 16 and 5 GPUs. Job 0 ran three times the median: 20 / (3 + 1) = 5, made even: 6. Its limit
// stays what it is. Job 1 ran longer, but is not the largest.
TEST(OnesLimits, TheLargestJobShrinksIfItRanLong) {
  std::vector<OnesGrowth> jobs = {running(10, 12, 2), running(5, 8, 2)};
  jobs[0].run_s = 300;
  jobs[1].run_s = 900;
  set_limits(jobs, 16, 100);
  EXPECT_EQ(jobs[0].wanted, 6U);
  EXPECT_EQ(jobs[0].limit, 12U);
  EXPECT_EQ(jobs[1].wanted, 8U);
}

// No job shrinks that has less than half of the GPUs, or has run for the median, or has just changed.
TEST(OnesLimits, OthersDoNotShrink) {
  const auto wanted = [](std::uint32_t cluster_gpus, double run_s, std::uint32_t epochs) {
    std::vector<OnesGrowth> jobs = {running(8, 12, epochs)};
    jobs[0].run_s = run_s;
    set_limits(jobs, cluster_gpus, 100);
    return jobs[0].wanted;
  };
  EXPECT_EQ(wanted(16, 700, 2), 2U) << "16 / 8";
  EXPECT_EQ(wanted(17, 700, 2), 12U);
  EXPECT_EQ(wanted(16, 100, 2), 12U);
  EXPECT_EQ(wanted(16, 700, 1), 8U);
  EXPECT_EQ(wanted(16, 1e9, 2), 2U) << "one GPU, made even";
}

// Of two equally large jobs the earlier one shrinks.
TEST(OnesLimits, OfEqualsTheEarlierShrinks) {
  std::vector<OnesGrowth> jobs = {running(8, 12, 2), running(8, 12, 2)};
  for (OnesGrowth& job : jobs) job.run_s = 700;
  set_limits(jobs, 16, 100);
  EXPECT_EQ(jobs[0].wanted, 2U);
  EXPECT_EQ(jobs[1].wanted, 12U);
}

}  // namespace
}  // namespace palstudy
