// SPDX-License-Identifier: MIT
// The rule by which a simulation reproduces what a site recorded (analysis/validation.hpp).
#include "analysis/validation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/numbers.hpp"

namespace palstudy {
namespace {

/// A log of `count` jobs, a job a minute, that waited and would wait for so long.
ReplayedLog log_of(std::size_t count, double recorded_s, double simulated_s) {
  ReplayedLog log;
  log.gpus = 100;
  for (std::size_t i = 0; i < count; ++i) {
    const double submit_s = 60 * static_cast<double>(i);
    log.jobs.push_back({.submit_s = submit_s,
                        .recorded_start_s = submit_s + recorded_s,
                        .simulated_start_s = submit_s + simulated_s,
                        .ran_s = 600,
                        .gpus = 1});
  }
  return log;
}

SiteVerdict verdict(double recorded_s, double simulated_s) {
  return validation_of(log_of(100, recorded_s, simulated_s)).verdict;
}

// Within 10 % of the recorded mean wait, or 10 s; on either side.
TEST(Validation, AcceptsMeanWaitsNearTheRecordedOnes) {
  EXPECT_EQ(verdict(1000, 1099), SiteVerdict::accepted);
  EXPECT_EQ(verdict(1000, 901), SiteVerdict::accepted);
  EXPECT_EQ(verdict(1000, 1101), SiteVerdict::rejected);
  EXPECT_EQ(verdict(1000, 899), SiteVerdict::rejected);
  EXPECT_EQ(verdict(0, 9), SiteVerdict::accepted);
  EXPECT_EQ(verdict(0, 11), SiteVerdict::rejected);
}

TEST(Validation, GivesNoVerdictOnFewJobs) {
  EXPECT_EQ(validation_of(log_of(29, 100, 100)).verdict, SiteVerdict::too_few_jobs);
  EXPECT_EQ(validation_of(log_of(30, 100, 100)).verdict, SiteVerdict::accepted);
  EXPECT_EQ(validation_of({}).verdict, SiteVerdict::too_few_jobs);
}

// The means agree, and two queues that are wrong in opposite ways do not: none of the 2 groups. All jobs are of one
// width, which would be a group that holds because all jobs do.
TEST(Validation, RejectsWhereGroupsDisagreeThoughTheMeanHolds) {
  ReplayedLog log = log_of(100, 1000, 1000);
  log.queues = {"short", "long"};
  for (std::size_t i = 0; i < log.jobs.size(); ++i) {
    log.jobs[i].queue = i % 2;
    log.jobs[i].simulated_start_s += i % 2 == 0 ? 500 : -500;
  }
  const Validation found = validation_of(log);
  EXPECT_EQ(found.verdict, SiteVerdict::rejected);
  EXPECT_EQ(found.groups, 2U);
  EXPECT_EQ(found.groups_that_hold, 0U);
  ASSERT_EQ(found.largest.size(), 2U);
  EXPECT_EQ(found.largest[0].group.by, SplitBy::queue);
  EXPECT_DOUBLE_EQ(std::abs(found.largest[0].group.difference_s()), 50 * 500);
  // The site's jobs of the long queue waited longer than simulated: its partition is what to look at first.
  const auto& of_long = found.largest[found.largest[0].group.name == "long" ? 0 : 1];
  EXPECT_EQ(of_long.causes.front(), UsualCause::partitions);
}

TEST(Validation, SplitsByWidthAndTimeOfDay) {
  ReplayedLog log = log_of(4, 0, 0);
  log.zero_s = 10 * day_s + 5.5 * hour_s;  // half past five
  log.jobs[1].gpus = 3, log.jobs[2].gpus = 4, log.jobs[3].gpus = 5;
  log.jobs[3].submit_s = hour_s;
  std::vector<std::string> names;
  for (const ValidatedGroup& group : validation_of(log).splits) names.push_back(group.name);
  EXPECT_EQ(names, (std::vector<std::string>{"1", "3-4", "5-8", "0-6", "6-12"}));
}

// A split in one group is all jobs again: it would be the largest difference whatever is wrong.
TEST(Validation, LeavesOutSplitsOfOneGroup) {
  ReplayedLog log = log_of(100, 1000, 2000);
  log.zero_s = 10 * day_s;
  EXPECT_EQ(validation_of(log).verdict, SiteVerdict::rejected);
  EXPECT_TRUE(validation_of(log).splits.empty());
  EXPECT_TRUE(validation_of(log).largest.empty());
}

// A job that ran already is not compared, but holds its GPUs; one that the simulation never started is a failure.
TEST(Validation, CountsJobsThatCannotBeCompared) {
  ReplayedLog log = log_of(100, 50, 50);
  log.jobs[0].initial = true;
  log.jobs[0].recorded_start_s = -5000;
  const Validation found = validation_of(log);
  EXPECT_EQ(found.initial, 1U);
  EXPECT_EQ(found.jobs, 99U);
  EXPECT_EQ(found.verdict, SiteVerdict::accepted);
  log.jobs[1].simulated_start_s = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(validation_of(log).unstarted, 1U);
  EXPECT_EQ(validation_of(log).verdict, SiteVerdict::rejected);
}

// Two jobs over 96 minutes, in 48 stretches of two: one ran for ten minutes from the start on 4 GPUs, and was to wait
// ten minutes in the simulation.
TEST(Validation, SaysHowManyJobsWaitAndGpusAreInUse) {
  ReplayedLog log = log_of(2, 0, 0);
  log.gpus = 8;
  log.jobs[0].gpus = 4, log.jobs[0].simulated_start_s = 600;
  log.jobs[1].submit_s = log.jobs[1].recorded_start_s = log.jobs[1].simulated_start_s = 96 * 60;
  const Validation found = validation_of(log);
  ASSERT_EQ(found.use.size(), 48U);
  EXPECT_DOUBLE_EQ(found.use[0].recorded_gpus, 4);
  EXPECT_DOUBLE_EQ(found.use[0].simulated_gpus, 0);
  EXPECT_DOUBLE_EQ(found.use[4].simulated_queue, 1);
  EXPECT_DOUBLE_EQ(found.use[5].simulated_queue, 0);
  EXPECT_DOUBLE_EQ(found.use[5].simulated_gpus, 4);
  EXPECT_NEAR(found.recorded_use, 4 * 600.0 / (8 * 96 * 60), 1e-12);
}

}  // namespace
}  // namespace palstudy
