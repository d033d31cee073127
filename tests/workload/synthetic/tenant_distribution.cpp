// SPDX-License-Identifier: MIT
#include "workload/synthetic/tenant_distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace palstudy {
namespace {

std::vector<double> shares(const TenantDistribution& law, bool wide) {
  std::vector<double> all(law.tenants(), 0.0);
  const int steps = 1200;
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < steps; ++j) all.at(law.choose(wide, (i + 0.5) / steps, (j + 0.5) / steps)) += 1;
  }
  for (double& share : all) share /= steps * steps;
  return all;
}

// A tenant for every 200 GPUs, 1,000 at most, and one at least.
TEST(TenantDistribution, HowMany) {
  EXPECT_EQ(TenantDistribution({}, 64).tenants(), 1u);
  EXPECT_EQ(TenantDistribution({}, 2490).tenants(), 12u);
  EXPECT_EQ(TenantDistribution({}, 37632).names().size(), 188u);
  EXPECT_EQ(TenantDistribution({}, 1048576).tenants(), 1000u);
}

// In one department of 12, narrow jobs halve from tenant to tenant and wide ones grow by 1 / 0.85: the one who makes
// half the jobs has the smallest share of the wide ones. Geometric series: first term (1 - q) / (1 - q^12).
TEST(TenantDistribution, NarrowAndWideJobsGoOppositeWays) {
  const TenantDistribution law({}, 2400);
  const auto narrow = shares(law, false), wide = shares(law, true);
  EXPECT_NEAR(narrow[0], 0.5 / (1 - std::pow(0.5, 12)), 0.002);
  EXPECT_NEAR(wide[11], 0.15 / (1 - std::pow(0.85, 12)), 0.002);
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_NEAR(narrow[i] / narrow[i - 1], 0.5, 0.02);
    EXPECT_NEAR(wide[11 - i] / wide[12 - i], 0.85, 0.02);
  }
}

// 20 tenants: a department of 12 and one of 8, each with as many jobs as it has tenants.
TEST(TenantDistribution, DepartmentsAreAlike) {
  const auto narrow = shares(TenantDistribution({}, 4000), false);
  double first = 0;
  for (std::size_t i = 0; i < 12; ++i) first += narrow[i];
  EXPECT_NEAR(first, 0.6, 0.002);
  EXPECT_NEAR(narrow[12], 0.4 * 0.5 / (1 - std::pow(0.5, 8)), 0.002);
}

}  // namespace
}  // namespace palstudy
