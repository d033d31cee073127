// SPDX-License-Identifier: MIT
#include "workload/elastic/noise_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "drawn_elastic.hpp"

namespace palstudy {
namespace {

// From 100 over 1,000 to 1,000,000 samples: half-way between knots lies the geometric mean; before the first and after
// the last knot nothing changes. Without knots there is no noise.
TEST(NoiseScale, IsGeometricBetweenKnots) {
  const NoiseScale noise{{{0.25, 100}, {0.5, 1000}, {1, 1e6}}};
  EXPECT_DOUBLE_EQ(noise.at(0), 100);
  EXPECT_DOUBLE_EQ(noise.at(0.25), 100);
  EXPECT_NEAR(noise.at(0.375), std::sqrt(100.0 * 1000), 1e-9);
  EXPECT_DOUBLE_EQ(noise.at(0.5), 1000);
  EXPECT_NEAR(noise.at(0.75), std::sqrt(1000 * 1e6), 1e-7);
  EXPECT_DOUBLE_EQ(noise.at(1), 1e6);
  EXPECT_DOUBLE_EQ(noise.at(2), 1e6);
  EXPECT_EQ(NoiseScale{}.at(0.5), 0);
}

// No sample of a larger batch makes more progress than one of the initial batch, and no iteration less. Gain is what
// AdaScale defines: (f + 1) / (f initial / batch + 1) with f = noise / initial. Noise makes large batches efficient.
TEST(NoiseScale, LargerBatchesAreLessEfficientAndGainMore) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    ElasticDraws draws(i);
    const double initial = draws.count(1, 512), batch = initial * draws.uniform(1, 100);
    const double noise = draws.log_uniform(0.1, 1e5), f = noise / initial;
    const double of = efficiency(noise, initial, batch);
    EXPECT_LE(of, 1);
    EXPECT_EQ(efficiency(noise, initial, initial), 1);
    EXPECT_LE(of, efficiency(2 * noise, initial, batch));
    EXPECT_LE(efficiency(noise, initial, 2 * batch), of);
    EXPECT_NEAR(gain(noise, initial, batch), (f + 1) / (f * initial / batch + 1), 1e-12 * batch / initial);
    EXPECT_GE(gain(noise, initial, batch), 1 - 1e-12);
    EXPECT_NEAR(gain(0, initial, batch), 1, 1e-12);  // all samples say the same
    EXPECT_NEAR(gain(1e15, initial, batch), batch / initial, 1e-6 * batch / initial);
  }
}

}  // namespace
}  // namespace palstudy
