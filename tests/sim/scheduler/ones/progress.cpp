// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/progress.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"

namespace palstudy {
namespace {

// Means over 20,000 even shares of the distribution. That of rho is a / (a + b); that of the factor 1 / rho - 1 on
// samples done is b / (a - 1), finite for a > 1. Here a = 5 and b = 1 + 7 x 2 = 15.
TEST(OnesProgress, HasTheMeansOfBeta) {
  constexpr int shares = 20000;
  double mean = 0, left = 0;
  for (int i = 0; i < shares; ++i) {
    const double rho = drawn_progress({5, 7}, 2, (i + 0.5) / shares);
    mean += rho / shares;
    left += (1 / rho - 1) / shares;
  }
  EXPECT_NEAR(mean, 0.25, 1e-4);
  EXPECT_NEAR(left, 15.0 / 4, 5e-3);
}

// With b = 1 the share of Beta(a, 1) below x is x^a.
TEST(OnesProgress, OfAJobAtItsEndIsAPower) {
  for (const double u : {0.01, 0.3, 0.9, 1.0}) EXPECT_NEAR(drawn_progress({4, 0}, 1, u), std::pow(u, 0.25), 1e-12);
}

// The same number means more progress if more is done, and less if more is left.
TEST(OnesProgress, GrowsWithEpochsDone) {
  for (const double u : {0.05, 0.5, 0.95}) {
    EXPECT_LT(drawn_progress({2, 10}, 1, u), drawn_progress({3, 10}, 1, u));
    EXPECT_GT(drawn_progress({2, 10}, 1, u), drawn_progress({2, 11}, 1, u));
    EXPECT_GT(drawn_progress({2, 10}, 1, u), drawn_progress({2, 10}, 3, u));
  }
}

TEST(OnesProgress, NeedsAnEpoch) {
  EXPECT_THROW((void)drawn_progress({0, 1}, 1, 0.5), Error);
  EXPECT_THROW((void)drawn_progress({1, -1}, 1, 0.5), Error);
}

}  // namespace
}  // namespace palstudy
