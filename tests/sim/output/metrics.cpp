// SPDX-License-Identifier: MIT
#include "sim/output/metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace palstudy {
namespace {

/// The definition: sort, and go `share` of the way from the first to the last.
double slow_quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 == values.size()) return values[below];
  return values[below] + (place - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

// By hand: of 1, 2, 3, 4 the median lies half way from the second to the third, 2.5; the 95th percentile 0.85 of the
// way from the third to the fourth, 3.85.
TEST(Metrics, QuantilesOfFour) {
  std::vector<double> values{3, 1, 4, 2};
  EXPECT_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.95), 3.85);
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 1), 4);
  std::vector<double> none;
  EXPECT_TRUE(std::isnan(quantile(none, 0.5)));
}

// To the last bit what sorting gives, for sizes around those at which a rank is hit exactly, values with many ties, and
// one quantile asked after another of the same values.
TEST(Metrics, SelectingGivesWhatSortingGives) {
  std::mt19937_64 engine(7);
  for (std::size_t size = 1; size < 300; ++size) {
    std::vector<double> values(size);
    for (double& value : values) value = static_cast<double>(engine() % 97) / 7;
    const std::vector<double> before = values;
    for (const double share : {0.5, 0.95, 0.99, 0.0, 1.0, 0.3}) {
      EXPECT_EQ(quantile(values, share), slow_quantile(before, share)) << size << " " << share;
    }
  }
}

}  // namespace
}  // namespace palstudy
