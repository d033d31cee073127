// SPDX-License-Identifier: MIT
// Values that are added up, or that stand for "none yet", begin at nothing.
#include <gtest/gtest.h>

#include "starts_at_zero.hpp"
#include "workload/job.hpp"

namespace palstudy::test {
namespace {

/// But for the prediction, of which none is NaN: a trace may predict 0 s.
TEST(StartingValues, OfJobsAreZero) {
  struct Zeroed : Job {
    Zeroed() { predicted_s = 0; }
  };
  EXPECT_TRUE(starts_at_zero<Zeroed>());
}

}  // namespace
}  // namespace palstudy::test
