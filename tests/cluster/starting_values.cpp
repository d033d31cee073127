// SPDX-License-Identifier: MIT
// Values that are added up, or that stand for "none yet", begin at nothing.
#include <gtest/gtest.h>

#include "cluster/free_gpus.hpp"
#include "starts_at_zero.hpp"

namespace palstudy::test {
namespace {

TEST(StartingValues, OfTheIndexAreZero) {
  EXPECT_TRUE(starts_at_zero<IndexNeeds>());
  EXPECT_TRUE(starts_at_zero<IndexCounts>());
}

}  // namespace
}  // namespace palstudy::test
