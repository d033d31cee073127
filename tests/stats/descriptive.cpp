// SPDX-License-Identifier: MIT
#include "stats/descriptive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "variability/sources/variates.hpp"

namespace palstudy {
namespace {

// By hand: median 3, distances 2 1 0 1 97, their median 1.
TEST(Sample, RobustSdIgnoresAnOutlier) { EXPECT_DOUBLE_EQ(robust_sd({1, 2, 3, 4, 100}), 1.4826); }

// Ranks 1, 2.5, 2.5, 4 against 1..4: Pearson of these is 4.5 / sqrt(4.5 x 5) by hand. Order alone counts.
TEST(Sample, RankCorrelation) {
  EXPECT_DOUBLE_EQ(rank_correlation(std::vector<double>{1, 2, 2, 3}, std::vector<double>{1, 2, 3, 4}),
                   4.5 / std::sqrt(4.5 * 5));
  EXPECT_DOUBLE_EQ(rank_correlation(std::vector<double>{1, 2, 3}, std::vector<double>{9, 4, 1}), -1);
  EXPECT_TRUE(std::isnan(rank_correlation(std::vector<double>{1, 1, 1}, std::vector<double>{9, 4, 1})));
}

// Two values have no ranks to speak of, and samples of different sizes no pairs.
TEST(Sample, RankCorrelationNeedsThreePairs) {
  EXPECT_TRUE(std::isnan(rank_correlation(std::vector<double>{1, 2}, std::vector<double>{1, 2})));
  EXPECT_DOUBLE_EQ(rank_correlation(std::vector<double>{1, 2, 3}, std::vector<double>{1, 2, 3}), 1);
  EXPECT_THROW((void)rank_correlation(std::vector<double>{1, 2, 3}, std::vector<double>{1, 2, 3, 4}), Error);
}

// By hand: mean 5, squares 9 1 1 1 0 0 4 16 sum to 32, over eight of them 4. One value has none.
TEST(Sample, PlainSd) {
  EXPECT_DOUBLE_EQ(plain_sd(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9}), 2);
  EXPECT_EQ(plain_sd(std::vector<double>{7}), 0);
}

// {1, 2} and {2, 3}: below 2 half of the first and none of the second; at 2 all and half. {1, 1} and {1} are the same.
TEST(Sample, KsDistance) {
  EXPECT_DOUBLE_EQ(ks_distance(std::vector<double>{1, 2}, std::vector<double>{2, 3}), 0.5);
  EXPECT_DOUBLE_EQ(ks_distance(std::vector<double>{1, 1}, std::vector<double>{1}), 0);
  EXPECT_DOUBLE_EQ(ks_distance(std::vector<double>{1, 2}, std::vector<double>{5}), 1);
}

// Equal within groups: 1. By hand for {0, 2}, {2, 4}: means 1 and 3, MSB = 4, MSW = 2, (4 - 2) / (4 + 2) = 1/3.
// A random effect of variance 1 in noise of variance 3 (1,000 groups of 4): 1/4, standard error about 0.02.
TEST(Sample, WithinGroupCorrelation) {
  EXPECT_DOUBLE_EQ(within_group_correlation({{1, 1}, {2, 2}, {5, 5}}), 1);
  EXPECT_DOUBLE_EQ(within_group_correlation({{0, 2}, {2, 4}}), 1.0 / 3);
  EXPECT_TRUE(std::isnan(within_group_correlation({{1}, {2}})));
  std::vector<std::vector<double>> groups;
  for (std::uint32_t g = 0; g < 1000; ++g) {
    const auto a = draw(5, Purpose::block_noise, g, 0), b = draw(5, Purpose::block_noise, g, 1);
    const auto x = normals_of(a[0], a[1]), y = normals_of(a[2], a[3]), z = normals_of(b[0], b[1]);
    const double s = std::sqrt(3.0);
    groups.push_back({z[0] + s * x[0], z[0] + s * x[1], z[0] + s * y[0], z[0] + s * y[1]});
  }
  EXPECT_NEAR(within_group_correlation(groups), 0.25, 0.08);
}

// By hand for {1, 3}, {5} and a group of nothing, which does not count: mean 3, MSB = 2 x 1 + 1 x 4 = 6, MSW = 2, n0 =
// 3
// - 5/3 = 4/3, (6 - 2) / (6 + 2/3) = 0.6. One group says nothing of the variance between groups.
TEST(Sample, WithinGroupCorrelationOfUnequalGroups) {
  EXPECT_NEAR(within_group_correlation({{1, 3}, {}, {5}}), 0.6, 1e-12);
  EXPECT_TRUE(std::isnan(within_group_correlation({{1, 3}, {}})));
}

// Upper quartile 0.740697, 97.5 % point 2.776445 (any table of t); symmetric.
TEST(Variates, StudentT4) {
  EXPECT_NEAR(student_t4(0.75), 0.740697, 1e-6);
  EXPECT_NEAR(student_t4(0.975), 2.776445, 1e-6);
  EXPECT_NEAR(student_t4(0.025), -2.776445, 1e-6);
  EXPECT_DOUBLE_EQ(student_t4(0.5), 0);
  EXPECT_NEAR(1.4826 * student_t4(0.75), robust_sd_of_t4, 1e-4);
}

// 100,000 pairs: mean 0 and variance 1 within five standard errors (0.0022 and 0.0032), both members alike.
TEST(Variates, NormalsAreStandard) {
  double sum = 0, squares = 0, product = 0;
  for (std::uint32_t i = 0; i < 100000; ++i) {
    const auto words = draw(3, Purpose::block_noise, i, 0);
    const auto z = normals_of(words[0], words[1]);
    sum += z[0] + z[1];
    squares += z[0] * z[0] + z[1] * z[1];
    product += z[0] * z[1];
  }
  EXPECT_NEAR(sum / 200000, 0, 0.0112);
  EXPECT_NEAR(squares / 200000, 1, 0.016);
  EXPECT_NEAR(product / 100000, 0, 0.016);
}

// A distance is the same from either side: below 3 all of {1, 2} and none of {3, 4}, below 2 half of {1, 9} and none of
// {2, 3}, and below 9 half and all of them.
TEST(Sample, KsDistanceIsTheSameFromEitherSide) {
  const auto expect = [](const std::vector<double>& a, const std::vector<double>& b, double distance) {
    EXPECT_DOUBLE_EQ(ks_distance(a, b), distance);
    EXPECT_DOUBLE_EQ(ks_distance(b, a), distance);
  };
  expect({1, 2}, {3, 4}, 1);
  expect({1}, {2, 3}, 1);
  expect({9, 1}, {2, 3}, 0.5);
  expect({1, 2, 3, 4}, {2}, 0.5);
}

}  // namespace
}  // namespace palstudy
