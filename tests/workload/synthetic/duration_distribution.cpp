// SPDX-License-Identifier: MIT
#include "workload/synthetic/duration_distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"

namespace palstudy {
namespace {

using Numbers = std::vector<double>;

// Quartiles 10, 100, 100, 1000 s from the 25th percentile on: the outer slopes, a factor of 10 a quarter, go on to 1 s
// at 0 and are already at 1000 s at 1. In the middle of a piece lies the geometric mean of its ends.
TEST(DurationDistribution, IsLogLinearBetweenTheKnots) {
  const DurationDistribution law(Numbers{.25, .5, .75, 1}, Numbers{10, 100, 100, 1000}, 1e6);
  const std::vector<std::pair<double, double>> expected = {
      {0, 1}, {.125, std::sqrt(10)}, {.25, 10}, {.375, std::sqrt(1000)}, {.5, 100}, {.6, 100}, {.75, 100}, {1, 1000}};
  for (const auto& [share, seconds] : expected) EXPECT_NEAR(law.quantile(share), seconds, 1e-9 * seconds) << share;
}

// Cut off at 31.6 s, in the middle of a piece: shares beyond have exactly that.
TEST(DurationDistribution, NothingIsOverTheLimit) {
  const double limit = std::sqrt(1000);
  const DurationDistribution law(Numbers{0, .5, 1}, Numbers{1, 10, 100}, limit);
  EXPECT_NEAR(law.quantile(.7), std::pow(10, 1.4), 1e-9);
  EXPECT_NEAR(law.quantile(.8), limit, 1e-9);
  EXPECT_NEAR(law.quantile(1), limit, 1e-9);
  // By hand: (10 - 1) / ln 10 x 0.5 + (31.6 - 10) / ln 3.16 x 0.25 + 31.6 x 0.25.
  EXPECT_NEAR(law.mean_s(), 9 / std::log(10) / 2 + (limit - 10) / std::log(limit / 10) / 4 + limit / 4, 1e-9);
}

// The mean in closed form against the midpoint rule, on percentiles of five decades.
TEST(DurationDistribution, MeanIsTheIntegralOfTheQuantiles) {
  const DurationDistribution law(Numbers{.05, .3, .5, .51, .9}, Numbers{2, 30, 31, 500, 40000}, 90000);
  double sum = 0;
  const int steps = 1000000;
  for (int i = 0; i < steps; ++i) sum += law.quantile((i + 0.5) / steps);
  EXPECT_NEAR(law.mean_s(), sum / steps, 1e-4 * law.mean_s());
}

// What is left of a job met at random has the mean E[d^2] / (2 E[d]) and the chance P(left > x) = E[max(d - x, 0)] /
// E[d] (renewal theory); both are integrated over quantiles, the residuals over a lattice of 200^3 points.
TEST(DurationDistribution, ResidualsAreThoseOfTheSteadyState) {
  const DurationDistribution law(Numbers{.1, .5, .9}, Numbers{10, 100, 5000}, 20000);
  const int steps = 200;
  double left = 0, over = 0;
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < steps; ++j) {
      for (int k = 0; k < steps; ++k) {
        const double s = law.residual((i + 0.5) / steps, (j + 0.5) / steps, (k + 0.5) / steps);
        left += s;
        over += s > 1000 ? 1 : 0;
      }
    }
  }
  const double points = std::pow(steps, 3);
  double squares = 0, beyond = 0;
  for (int i = 0; i < 100000; ++i) {
    const double d = law.quantile((i + 0.5) / 100000);
    squares += d * d / 100000;
    beyond += std::max(d - 1000, 0.0) / 100000;
  }
  EXPECT_NEAR(left / points, squares / (2 * law.mean_s()), 0.01 * left / points);
  EXPECT_NEAR(over / points, beyond / law.mean_s(), 0.01);
}

TEST(DurationDistribution, RefusesPercentilesThatDoNotAscend) {
  EXPECT_THROW(DurationDistribution(Numbers{.5}, Numbers{1}, 10), Error);
  EXPECT_THROW(DurationDistribution(Numbers{.5, .5}, Numbers{1, 2}, 10), Error);
  EXPECT_THROW(DurationDistribution(Numbers{.5, .6}, Numbers{2, 1}, 10), Error);
  EXPECT_THROW(DurationDistribution(Numbers{.5, .6}, Numbers{0, 1}, 10), Error);
}

// Shares lie within 0 and 1, each with its seconds, of which the least is under the longest; equal seconds are no jump.
TEST(DurationDistribution, RefusesWhatIsNoDistribution) {
  EXPECT_THROW(DurationDistribution(Numbers{.5, .6}, Numbers{1}, 10), Error);
  EXPECT_THROW(DurationDistribution(Numbers{.5, .6}, Numbers{1, 2, 3}, 10), Error);
  EXPECT_THROW(DurationDistribution(Numbers{-.1, .6}, Numbers{1, 2}, 10), Error);
  EXPECT_THROW(DurationDistribution(Numbers{.5, 1.1}, Numbers{1, 2}, 10), Error);
  EXPECT_THROW(DurationDistribution(Numbers{.5, .6}, Numbers{1, 2}, 1), Error);
  EXPECT_NEAR(DurationDistribution(Numbers{0, 1}, Numbers{1, 2}, 1.5).quantile(1), 1.5, 1e-12);
  EXPECT_NEAR(DurationDistribution(Numbers{0, 1}, Numbers{2, 2}, 10).mean_s(), 2, 1e-12);
}

}  // namespace
}  // namespace palstudy
