// SPDX-License-Identifier: MIT
// Values that are added up, or that stand for "none yet", begin at nothing.
#include <gtest/gtest.h>

#include "starts_at_zero.hpp"
#include "workload/job.hpp"

namespace palstudy::test {
namespace {

TEST(StartingValues, OfJobsAreZero) { EXPECT_TRUE(starts_at_zero<Job>()); }

}  // namespace
}  // namespace palstudy::test
