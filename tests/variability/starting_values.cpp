// SPDX-License-Identifier: MIT
// Values that are added up, or that stand for "none yet", begin at nothing.
#include <gtest/gtest.h>

#include "starts_at_zero.hpp"
#include "variability/binning/bins.hpp"
#include "variability/classify/kmeans_2d.hpp"
#include "variability/profile/locality.hpp"
#include "variability/profile/profile_summary.hpp"
#include "variability/sources/belief.hpp"
#include "variability/sources/reliability.hpp"

namespace palstudy::test {
namespace {

TEST(StartingValues, OfMeasurementsAreZero) {
  EXPECT_TRUE(starts_at_zero<BinRule>());
  EXPECT_TRUE(starts_at_zero<ClassSpread>());
  EXPECT_TRUE(starts_at_zero<ModelStep>());
  EXPECT_TRUE(starts_at_zero<Point2>());
  EXPECT_TRUE(starts_at_zero<HistogramBar>());
  EXPECT_TRUE(starts_at_zero<Reliability>());
}

}  // namespace
}  // namespace palstudy::test
