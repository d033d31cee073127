// SPDX-License-Identifier: MIT
// Values that are added up, or that stand for "none yet", begin at nothing.
#include <gtest/gtest.h>

#include "archive/profile/profile_columns.hpp"
#include "starts_at_zero.hpp"

namespace palstudy::test {
namespace {

TEST(StartingValues, OfProfileRowsAreZero) {
  EXPECT_TRUE(starts_at_zero<BatchRow>());
  EXPECT_TRUE(starts_at_zero<SampleRow>());
}

}  // namespace
}  // namespace palstudy::test
