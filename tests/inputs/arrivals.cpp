// SPDX-License-Identifier: MIT
#include "inputs/arrivals.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace palstudy
