// SPDX-License-Identifier: MIT
#include "inputs/arrivals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace palstudy {
namespace {

// Two GPUs for the 100 s from the first arrival to the last can do 200 GPU-seconds; the jobs that arrive ask for 60
// + 80. What runs at time 0 is there already and no arrival, measured or not: its 10,000 GPU-seconds would make a load
// of 50.
TEST(Arrivals, JobsThatRunAtTimeZeroAreNoLoad) {
  for (const bool measured : {false, true}) {
    const std::vector<ArrivingJob> jobs = {
        {0, 10000, measured, true}, {0, 60, true, false}, {100, 80, true, false}, {500, 900, false, false}};
    const Arrivals all = arrivals_of(jobs, 2);
    EXPECT_DOUBLE_EQ(all.window_s, 100);
    EXPECT_DOUBLE_EQ(all.offered_load, 0.7);
    EXPECT_TRUE(all.from_first);
    EXPECT_FALSE(all.from_empty);  // jobs run already
  }
}

// On one GPU 38 jobs of 15 s come every 10 s, a load of 38 x 15 / 370, and two (a twentieth) far from them: behind,
// before or one on each side. They take over a fifth of the time and are left out. Three are more than a twentieth
// of 41.
TEST(Arrivals, AQuietBeginningOrEndIsNoPartOfTheLoad) {
  const auto with = [](const std::vector<double>& strays) {
    std::vector<ArrivingJob> jobs;
    for (int job = 0; job < 38; ++job) jobs.push_back({1000 + 10.0 * job, 15, true, false});
    for (const double submit_s : strays) jobs.push_back({submit_s, 15, true, false});
    std::sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) { return a.submit_s < b.submit_s; });
    return arrivals_of(jobs, 1);
  };
  const double busy = 38 * 15.0 / 370;
  for (const std::vector<double>& strays : {std::vector{5000.0, 9000.0}, {1.0, 2.0}, {1.0, 9000.0}}) {
    const Arrivals all = with(strays);
    EXPECT_NEAR(all.offered_load, busy, 0.05);
    EXPECT_NEAR(all.quiet_load, 40 * 15.0 / (std::max(1370.0, strays[1]) - std::min(1000.0, strays[0])), 1e-12);
    EXPECT_EQ(all.measured, 40u);
    EXPECT_GE(all.begin_s, 1000);
    EXPECT_LE(all.end_s, 1370);
  }
  EXPECT_TRUE(std::isnan(with({1380, 1390}).quiet_load));
  // A window that is chosen by hand, here without the first job, is taken as it is.
  std::vector<ArrivingJob> chosen = {{0, 15, false, false}};
  for (int job = 0; job < 38; ++job) chosen.push_back({1000 + 10.0 * job, 15, true, false});
  chosen.push_back({9000, 15, true, false});
  EXPECT_TRUE(std::isnan(arrivals_of(chosen, 1).quiet_load));
}

// Jobs that arrive between measured ones are load too; what comes before or after is not.
TEST(Arrivals, AllThatArrivesBetweenMeasuredJobsIsLoad) {
  const Arrivals all = arrivals_of({{0, 50, false, false},
                                    {10, 30, true, false},
                                    {20, 40, false, false},
                                    {60, 30, true, false},
                                    {70, 9, false, false}},
                                   1);
  EXPECT_DOUBLE_EQ(all.offered_load, 2);  // 30 + 40 + 30 over 50
  EXPECT_FALSE(all.from_first);
  EXPECT_TRUE(arrivals_of({{5, 50, true, false}}, 1).from_empty);
}

// One GPU. Of the windows of 100 s that begin with an arrival the one from 200 to 300 is the busiest: 60 + 90 + 80 over
// 100. What runs at time 0 is no arrival. A window as long as the trace has all of it, one of no length no load.
TEST(Arrivals, TheBusiestWindowHasTheLargestLoad) {
  const std::vector<ArrivingJob> jobs = {{0, 5000, false, true},  {0, 70, false, false},   {100, 20, true, false},
                                         {200, 60, false, false}, {250, 90, false, false}, {300, 80, false, false},
                                         {400, 100, false, false}};
  EXPECT_DOUBLE_EQ(busiest_load(jobs, 1, 100), 2.3);
  EXPECT_DOUBLE_EQ(busiest_load(jobs, 2, 400), 420.0 / 800);
  EXPECT_TRUE(std::isnan(busiest_load(jobs, 1, 0)));
}

}  // namespace
}  // namespace palstudy
