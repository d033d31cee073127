// SPDX-License-Identifier: MIT
#include "workload/synthetic/burst_distribution.hpp"

#include <gtest/gtest.h>

#include <map>

namespace palstudy {
namespace {

constexpr int steps = 1000000;

/// The chance of each size, by going through u.
std::map<std::uint32_t, double> chances(const BurstDistribution& law) {
  std::map<std::uint32_t, double> all;
  for (int i = 0; i < steps; ++i) all[law.size((i + 0.5) / steps)] += 1.0 / steps;
  return all;
}

// As stated: 0.7 of one job, 0.25 evenly on 2 to 9, 0.05 from 10 to 40 with P(>= k) = (10/k - 10/41) / (1 - 10/41).
TEST(BurstDistribution, SizesComeWithTheirChances) {
  const auto all = chances(BurstDistribution({0.25, 0.05, 2, 9, 10, 40, 1}, 1));
  EXPECT_NEAR(all.at(1), 0.7, 1e-5);
  for (std::uint32_t k = 2; k <= 9; ++k) EXPECT_NEAR(all.at(k), 0.25 / 8, 1e-5) << k;
  double at_least_20 = 0;
  for (const auto& [k, chance] : all) at_least_20 += k >= 20 ? chance : 0;
  EXPECT_NEAR(at_least_20, 0.05 * (0.5 - 10.0 / 41) / (1 - 10.0 / 41), 1e-5);
  EXPECT_EQ(all.rbegin()->first, 40u);
}

// The mean of the law is that of its sizes, whatever the scale; bursts scale, single jobs do not, and two is the least.
TEST(BurstDistribution, MeanIsThatOfTheSizesAtAnyScale) {
  for (const double scale : {0.1, 0.5, 1.0, 3.7, 20.0}) {
    const BurstDistribution law({0.25, 0.05, 2, 9, 10, 1100, 1}, scale);
    const auto all = chances(law);
    double mean = 0;
    for (const auto& [k, chance] : all) mean += k * chance;
    EXPECT_NEAR(law.mean(), mean, 0.01 * mean) << scale;
    EXPECT_NEAR(all.at(1), 0.7, 1e-5) << scale;
    EXPECT_GE(std::next(all.begin())->first, 2u) << scale;
    EXPECT_LE(all.rbegin()->first, law.largest()) << scale;
  }
  EXPECT_EQ(BurstDistribution({0.25, 0.05, 2, 9, 10, 1100, 1}, 2).largest(), 2200u);
  EXPECT_EQ(BurstDistribution({}, 7).mean(), 1.0);
  EXPECT_EQ(BurstDistribution({}, 7).largest(), 1u);
}

}  // namespace
}  // namespace palstudy
