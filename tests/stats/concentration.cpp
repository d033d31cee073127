// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

// Under 2 % of 100 values are one, of 101 two, of 50 none: 1 of 50 is 2 %.
TEST(Concentration, CountsTheValuesThatAreUnderThePart) {
  EXPECT_EQ(held_by_largest(std::vector<double>(100, 1.0), 0.02).few, 1u);
  EXPECT_EQ(held_by_largest(std::vector<double>(101, 1.0), 0.02).few, 2u);
  EXPECT_EQ(held_by_largest(std::vector<double>(50, 1.0), 0.02).few, 0u);
}

// 99 values of 1 and one of 101, wherever it stands: it holds 101 / 200. Values that are alike hold their part.
TEST(Concentration, IsTheShareOfTheLargest) {
  std::vector<double> values(100, 1.0);
  values[37] = 101;
  EXPECT_DOUBLE_EQ(held_by_largest(values, 0.02).share, 101.0 / 200);
  EXPECT_DOUBLE_EQ(held_by_largest(std::vector<double>(200, 5.0), 0.02).share, 3.0 / 200);
}

TEST(Concentration, OfNothingIsNothing) {
  EXPECT_EQ(held_by_largest({}, 0.02).share, 0);
  EXPECT_EQ(held_by_largest(std::vector<double>(100, 0.0), 0.02).share, 0) << "nobody waited";
  EXPECT_TRUE(std::isnan(geometric_mean({})));
}

// Of 1, 10 and 100 it is 10, where the mean is 37: a value ten times as large counts for one logarithm.
TEST(Concentration, GeometricMean) { EXPECT_NEAR(geometric_mean({1, 10, 100}), 10, 1e-12); }

// Of 5, 1, 1, 1 and 2, which sum to 10, the largest holds a half; over a half is held by two, 7 of 10.
TEST(Concentration, FewestThatHoldMoreThanAShare) {
  const std::vector<double> values = {1, 5, 1, 2, 1};
  EXPECT_EQ(held_by_fewest(values, 1.0 / 3).few, 1u);
  EXPECT_DOUBLE_EQ(held_by_fewest(values, 1.0 / 3).share, 0.5);
  EXPECT_EQ(held_by_fewest(values, 0.5).few, 2u);
  EXPECT_DOUBLE_EQ(held_by_fewest(values, 0.5).share, 0.7);
  EXPECT_EQ(held_by_fewest(values, 0.5).values, 5u);
  EXPECT_EQ(held_by_largest(values, 0.5).values, 5u);
  EXPECT_EQ(held_by_fewest({}, 0.5).few, 0u);
  EXPECT_EQ(held_by_fewest({0, 0}, 0.5).few, 0u) << "nobody waited";
}

}  // namespace
}  // namespace palstudy
