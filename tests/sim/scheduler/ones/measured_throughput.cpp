// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/measured_throughput.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace palstudy {
namespace {

// Measured 100 on one GPU and 340 on four: between them on the line through both, below one GPU on that from the
// origin, beyond four on the line of the two.
TEST(MeasuredThroughput, LiesOnLinesBetweenMeasuredCounts) {
  MeasuredThroughput throughput;
  EXPECT_TRUE(throughput.empty());
  EXPECT_EQ(throughput.at(3), 0);
  throughput.add(4, 340);
  EXPECT_DOUBLE_EQ(throughput.at(2), 170) << "from the origin";
  EXPECT_DOUBLE_EQ(throughput.at(8), 680);
  throughput.add(1, 100);
  EXPECT_DOUBLE_EQ(throughput.at(1), 100);
  EXPECT_DOUBLE_EQ(throughput.at(2), 180);
  EXPECT_DOUBLE_EQ(throughput.at(4), 340);
  EXPECT_DOUBLE_EQ(throughput.at(6), 500);
  EXPECT_EQ(throughput.at(0), 0);
}

// The mean of the last five of seven: (3 + 4 + 5 + 6 + 7) / 5.
TEST(MeasuredThroughput, IsTheMeanOfTheLastFive) {
  MeasuredThroughput throughput;
  for (int i = 1; i <= 7; ++i) throughput.add(2, i);
  EXPECT_DOUBLE_EQ(throughput.at(2), 5);
}

// 100 on one GPU and 10 on two: the line reaches 0 before three GPUs, where no job trains backwards.
TEST(MeasuredThroughput, StaysPositive) {
  MeasuredThroughput throughput;
  throughput.add(1, 100);
  throughput.add(2, 10);
  EXPECT_DOUBLE_EQ(throughput.at(3), 10);
}

TEST(MeasuredThroughput, RefusesWhatIsNoMeasurement) {
  MeasuredThroughput throughput;
  EXPECT_THROW(throughput.add(0, 1), Error);
  EXPECT_THROW(throughput.add(1, 0), Error);
}

}  // namespace
}  // namespace palstudy
