// SPDX-License-Identifier: MIT
// Values that are added up, or that stand for "none yet", begin at nothing.
#include <gtest/gtest.h>

#include "starts_at_zero.hpp"
#include "stats/descriptive.hpp"
#include "stats/grid.hpp"
#include "stats/paired.hpp"

namespace palstudy::test {
namespace {

TEST(StartingValues, OfSamplesAreZero) {
  EXPECT_TRUE(starts_at_zero<Concentration>());
  EXPECT_TRUE(starts_at_zero<Observation>());
  EXPECT_TRUE(starts_at_zero<Estimate>());
  EXPECT_TRUE(starts_at_zero<Grid::Cell>());
  EXPECT_TRUE(starts_at_zero<Pair>());
}

}  // namespace
}  // namespace palstudy::test
