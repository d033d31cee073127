// SPDX-License-Identifier: MIT
// The cluster source of CONTRIBUTING.md, as it stands there (tests/examples.py takes it out of the page).
#include <gtest/gtest.h>

#include <cmath>

#include "stats/descriptive.hpp"
#include "variability/made_up.hpp"
#include "variability/sources/cluster_source.hpp"
#include "variability/sources/reliability.hpp"

namespace palstudy {

void register_cluster_source_lognormal(ClusterSourceRegistry& registry);

namespace {

// 40,000 GPUs are as uneven as those measured, within five standard errors of a robust spread (0.6 %), and GPU i does
// not depend on their number.
TEST(Examples, OfAClusterSource) {
  ClusterSourceRegistry registry("cluster source");
  register_cluster_source_lognormal(registry);
  const ClusterSource& source = registry.at("lognormal").make;
  EXPECT_TRUE(source.uses("seed"));
  EXPECT_FALSE(source.uses("table"));
  const Measurements measured = made_up::machine("m", 0, 30, 4);
  const ClassMeasurements classes = {{"A", &measured}, {"B", &measured}};
  const auto drawn = [&](std::uint32_t nodes) {
    return source.draw({made_up::cluster(nodes, 4), classes, 7}, {}).slowdowns;
  };
  const Slowdowns small = drawn(2), large = drawn(10000);
  std::vector<double> logs;
  for (const double slowdown : large.of(ClassId(1))) logs.push_back(std::log(slowdown));
  EXPECT_NEAR(robust_sd(logs) / gpu_spread(measured), 1, 0.03);
  EXPECT_NEAR(median(logs), 0, 0.03 * gpu_spread(measured));
  for (std::uint32_t g = 0; g < 8; ++g) EXPECT_EQ(small.at(ClassId(1), GpuId(g)), large.at(ClassId(1), GpuId(g)));
  EXPECT_NE(small.at(ClassId(0), GpuId(0)), small.at(ClassId(1), GpuId(0)));
}

}  // namespace
}  // namespace palstudy
