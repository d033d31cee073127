// SPDX-License-Identifier: MIT
// How far apart the two values of a solution are, and may be.
#include "sim/state/solves.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

TEST(Solves, TheGapIsRelativeToThePrimalValue) {
  EXPECT_EQ(gap_of(2, 3), 0.5);
  EXPECT_EQ(gap_of(4, 3), 0.25);
  EXPECT_EQ(gap_of(-2, -3), 0.5);
  EXPECT_EQ(gap_of(2, 2), 0);
  EXPECT_EQ(gap_of(0, 0), 0);
}

// Of more than 1,000 jobs those objectives that depend on each job's work are good to 1 %, as jobs are told apart then.
TEST(Solves, ManyJobsAreToldApartLessFinely) {
  for (const ShareObjective objective : {ShareObjective::makespan, ShareObjective::finish_time_fairness}) {
    EXPECT_TRUE(minimized(objective));
    EXPECT_EQ(largest_gap(objective, 1000), 1e-6);
    EXPECT_EQ(largest_gap(objective, 1001), 1e-2);
  }
  for (const ShareObjective objective : {ShareObjective::max_min, ShareObjective::water_filling, ShareObjective::sum}) {
    EXPECT_FALSE(minimized(objective));
    EXPECT_EQ(largest_gap(objective, 1001), 1e-6);
  }
}

}  // namespace
}  // namespace palstudy
