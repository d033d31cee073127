// SPDX-License-Identifier: MIT
// Values that are added up, or that stand for "none yet", begin at nothing.
#include <gtest/gtest.h>

#include "policy/placement_policy.hpp"
#include "starts_at_zero.hpp"

namespace palstudy::test {
namespace {

TEST(StartingValues, OfRequestsAreZero) { EXPECT_TRUE(starts_at_zero<Request>()); }

}  // namespace
}  // namespace palstudy::test
