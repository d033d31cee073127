// SPDX-License-Identifier: MIT
#include "analysis/gain_parts.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace palstudy {
namespace {

// Means are over the points at which every policy makes a claim: point 1 alone, since the second policy makes none at
// point 2. A policy that makes no claim anywhere has no mean and takes no point from the others; and where none does,
// the means are over no points.
TEST(CommonMeans, AreOverPointsThatAllPoliciesHave) {
  CommonMeans some(3), none(2);
  some.add(0, 1, Observation{10, 0, 0});
  some.add(0, 2, Observation{20, 1, 1});
  some.add(1, 1, Observation{30, 0, 0});
  some.add(1, 2, std::nullopt);
  some.add(2, 1, std::nullopt);
  ComparisonRow row;
  some.write_to(row, std::nullopt);
  EXPECT_EQ(row.n, 1u);
  EXPECT_EQ(row.n_of, 2u);
  ASSERT_EQ(row.means.size(), 3u);
  EXPECT_EQ(row.means[0].value().mean, 10);
  EXPECT_EQ(row.means[1].value().mean, 30);
  EXPECT_FALSE(row.means[2]);
  none.add(0, 7, std::nullopt);
  none.add(1, 8, std::nullopt);
  ComparisonRow empty;
  none.write_to(empty, std::nullopt);
  EXPECT_EQ(empty.n, 0u);
  EXPECT_EQ(empty.n_of, 2u);
  ASSERT_EQ(empty.means.size(), 2u);
  EXPECT_FALSE(empty.means[0]);
}

// Ten pairs of which the gain is about so much.
ComparedPairs pairs_about(double ratio) {
  ComparedPairs made;
  for (std::size_t seed = 0; seed < 10; ++seed) {
    made.pairs.push_back({ratio * std::exp(0.01 * std::sin(static_cast<double>(seed * seed))), 1, seed, seed});
  }
  return made;
}

// Of four gains two are of the metric and have a p, 0.01 and 0.04: by Holm's rule these are 0.02 and 0.04 side by side,
// and their intervals hold together as one of two; the gain of another metric and the one without a p are left alone.
// Where one alone is left its interval is its own.
TEST(Comparisons, AreCorrectedByMetric) {
  const std::vector<ComparedPairs> made = {pairs_about(0.9), pairs_about(0.8), pairs_about(0.7), pairs_about(0.6)};
  const auto corrected = [&](const std::string& metric) {
    std::vector<ComparisonGroup> groups(2);
    for (std::size_t i = 0; i < made.size(); ++i) {
      PolicyGain one{"sticky", "pal", i == 1 ? "b" : "a", improvement(made[i].pairs), 0, {}};
      if (i == 2) {
        one.gain->p_value.reset();
      } else {
        one.gain->p_value = i == 0 ? 0.01 : 0.04;
      }
      groups[i / 2].gains.push_back(one);
    }
    correct_for_comparisons(groups, metric, made);
    return std::vector<PolicyGain>{groups[0].gains[0], groups[0].gains[1], groups[1].gains[0], groups[1].gains[1]};
  };
  const auto a = corrected("a"), b = corrected("b");
  EXPECT_NEAR(a[0].p_adjusted.value(), 0.02, 1e-15);
  EXPECT_NEAR(a[3].p_adjusted.value(), 0.04, 1e-15);
  for (const std::size_t of : {std::size_t{0}, std::size_t{3}}) {
    EXPECT_EQ(a[of].comparisons, 2u);
    const Improvement &alone = *a[of].gain, &together = *a[of].simultaneous;
    EXPECT_EQ(together.mean, alone.mean) << "made from its own pairs";
    EXPECT_LT(together.low.value(), alone.low.value());
    EXPECT_GT(together.high.value(), alone.high.value());
  }
  for (const std::size_t of : {std::size_t{1}, std::size_t{2}}) {
    EXPECT_EQ(a[of].comparisons, 1u);
    EXPECT_FALSE(a[of].p_adjusted);
    EXPECT_FALSE(a[of].simultaneous);
  }
  EXPECT_NEAR(b[1].p_adjusted.value(), 0.04, 1e-15);
  EXPECT_EQ(b[1].comparisons, 1u);
  EXPECT_EQ(b[1].simultaneous.value().low, b[1].gain->low);
  EXPECT_FALSE(b[0].p_adjusted);
}

}  // namespace
}  // namespace palstudy
