// SPDX-License-Identifier: MIT
// The random policies cannot give the published simulator's own draws (its generator is part of its language). They
// must give its distribution: the mean JCT that it recorded for trace 4 lies in the central 99 % of 1,000 seeds of
// ours.
#include <gtest/gtest.h>

#include <algorithm>

#include "published.hpp"

namespace palstudy {
namespace {

void expect_in_the_central_99_percent(const std::string& placement, double recorded_jct_mean_s) {
  const Published published(4);
  std::vector<double> means;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    means.push_back(published.run("fifo", placement, seed).metric(Metric::jct_mean_s));
  }
  std::sort(means.begin(), means.end());
  EXPECT_LT(means[4], recorded_jct_mean_s) << "median of ours: " << means[500];
  EXPECT_GT(means[995], recorded_jct_mean_s) << "median of ours: " << means[500];
  EXPECT_LT(means.front(), means.back());
}

TEST(RandomPlacement, StickyHasThePublishedDistribution) { expect_in_the_central_99_percent("random-sticky", 27541.1); }
TEST(RandomPlacement, NonStickyHasThePublishedDistribution) {
  expect_in_the_central_99_percent("random-nonsticky", 26373.3);
}

}  // namespace
}  // namespace palstudy
