// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stats/paired.hpp"

namespace palstudy {
namespace {

std::vector<Pair> pairs(double spread, std::size_t n) {
  std::vector<Pair> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back({std::exp(i % 2 == 0 ? spread : -spread), 1, i, i});
  return all;
}

// Log-ratios of +-0.1, 20 of them: s = 0.1 sqrt(20/19), half width t(0.975; 19) s / sqrt(20) = 2.09302 x 0.1 / sqrt(19)
// = 0.04802, so 4.919 % is narrow enough (e^0.04802 - 1 = 0.04919) and 4.9 % is not.
TEST(Stopping, LooksAtTheHalfWidthOfTheRatio) {
  const auto result = improvement(pairs(0.1, 20));
  EXPECT_TRUE(narrow_enough(result, 0.0492));
  EXPECT_FALSE(narrow_enough(result, 0.0490));
}

// More seeds could not tell more where they change nothing; where there are too few, they could.
TEST(Stopping, EndsWhereTheSeedsChangeNothing) {
  EXPECT_TRUE(narrow_enough(improvement(pairs(0, 20)), 0.01));
  EXPECT_FALSE(narrow_enough(improvement(pairs(0.1, 6)), 0.5));
}

}  // namespace
}  // namespace palstudy
