// SPDX-License-Identifier: MIT
// Values that are added up, or that stand for "none yet", begin at nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "starts_at_zero.hpp"
#include "workload/job.hpp"

namespace palstudy::test {
namespace {

/// A job with a prediction, which is NaN where there is none.
struct PredictedJob : Job {
  PredictedJob() { predicted_s = 0; }
};

TEST(StartingValues, OfJobsAreZeroButForThePrediction) {
  EXPECT_TRUE(starts_at_zero<PredictedJob>());
  EXPECT_TRUE(std::isnan(Job().predicted_s));
}

}  // namespace
}  // namespace palstudy::test
