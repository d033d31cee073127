// SPDX-License-Identifier: MIT
// Values that are added up, or that stand for "none yet", begin at nothing.
#include <gtest/gtest.h>

#include "sim/result.hpp"
#include "sim/simulation.hpp"
#include "sim/state/checkpoints.hpp"
#include "sim/state/exchange.hpp"
#include "sim/state/progress.hpp"
#include "sim/state/run_rows.hpp"
#include "sim/state/running_set.hpp"
#include "starts_at_zero.hpp"

namespace palstudy::test {
namespace {

TEST(StartingValues, OfRunsAreZero) {
  EXPECT_TRUE(starts_at_zero<Pulse>());
  EXPECT_TRUE(starts_at_zero<ExchangeCounts>());
  EXPECT_TRUE(starts_at_zero<Segment>());
  EXPECT_TRUE(starts_at_zero<EngineCounts>());
  EXPECT_TRUE(starts_at_zero<JobSums>());
  EXPECT_TRUE(starts_at_zero<BelievedCost>());
  EXPECT_TRUE(starts_at_zero<RecordOptions>());
}

}  // namespace
}  // namespace palstudy::test
