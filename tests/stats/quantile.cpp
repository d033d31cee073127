// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

// At a value it is that value, between two of them it is on the line that joins them, and of one value it is that one.
TEST(Quantile, IsLinearBetweenTheValues) {
  const std::vector<double> values{0, 10, 30};
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0), 0);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.25), 5);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.5), 10);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.75), 20);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 1), 30);
  EXPECT_DOUBLE_EQ(sorted_quantile(std::vector<double>{7}, 0.3), 7);
}

}  // namespace
}  // namespace palstudy
