// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "stats/paired.hpp"

namespace palstudy {
namespace {

// By hand: sorted 0.01, 0.03, 0.04 times 3, 2, 1 = 0.03, 0.06, 0.04; none smaller than the one before, so the last is
// 0.06 too.
TEST(Holm, MultipliesByHowManyAreLeft) {
  const auto corrected = holm({0.04, 0.01, 0.03});
  ASSERT_EQ(corrected.size(), 3u);
  EXPECT_NEAR(corrected[0], 0.06, 1e-15);
  EXPECT_NEAR(corrected[1], 0.03, 1e-15);
  EXPECT_NEAR(corrected[2], 0.06, 1e-15);
}

TEST(Holm, LeavesOneAsItIsAndNoneAboveOne) {
  EXPECT_EQ(holm({0.2}), std::vector<double>{0.2});
  EXPECT_EQ(holm({0.9, 0.8}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm({}).empty());
}

}  // namespace
}  // namespace palstudy
