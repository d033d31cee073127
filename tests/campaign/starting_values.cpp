// SPDX-License-Identifier: MIT
// Values that are added up, or that stand for "none yet", begin at nothing.
#include <gtest/gtest.h>

#include "analysis/job_metrics.hpp"
#include "analysis/offered_load.hpp"
#include "campaign/campaign.hpp"
#include "campaign/cost.hpp"
#include "campaign/progress_line.hpp"
#include "campaign/worker.hpp"
#include "starts_at_zero.hpp"

namespace palstudy::test {
namespace {

TEST(StartingValues, OfCostsAndMetricsAreZero) {
  EXPECT_TRUE(starts_at_zero<Merged>());
  EXPECT_EQ(RunWork().core_s, 0);
  EXPECT_TRUE(starts_at_zero<RunCost>());
  EXPECT_TRUE(starts_at_zero<RunFacts>());
  EXPECT_TRUE(starts_at_zero<HeldSums>());
  EXPECT_TRUE(starts_at_zero<ArrivingJob>());
  EXPECT_TRUE(starts_at_zero<RunProgress>());
}

}  // namespace
}  // namespace palstudy::test
