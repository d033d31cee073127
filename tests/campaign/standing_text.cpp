// SPDX-License-Identifier: MIT
#include "campaign/standing_text.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// The job, what it wants, why nobody takes it, and on a second line what to do.
TEST(StandingText, NamesTheJobAndTheReason) {
  RunPlan run;
  run.policy.placement = "consolidate";
  run.policy.scheduler = "gavel";
  EXPECT_EQ(standing_text({7, 20, 1, 16, Hindrance::too_few_gpus}, run),
            "the run stands still: job 7 wants 20 GPUs; nothing runs, arrives or comes back, and no more than 16 are "
            "free in partition 1\n  end the outages, set measure.end_s, or drop the job");
  EXPECT_EQ(
      standing_text({7, 1, 0, 16, Hindrance::not_placeable}, run),
      "the run stands still: job 7 wants 1 GPU; nothing runs, arrives or comes back, and 16 are free in partition "
      "0, but not as consolidate and its model want them\n  take another policy.placement, set measure.end_s, or "
      "drop the job");
  EXPECT_EQ(
      standing_text({7, 4, 0, 16, Hindrance::passed_over}, run),
      "the run stands still: job 7 wants 4 GPUs; nothing runs, arrives or comes back, and 16 are free in partition "
      "0 and would do, but gavel never gives it its turn\n  take another policy.scheduler, set measure.end_s, or "
      "drop the job");
  EXPECT_EQ(
      standing_text({7, 40, -1, 32, Hindrance::too_few_gpus}, run),
      "the run stands still: job 7 wants 40 GPUs; nothing runs, arrives or comes back, and no more than 32 are free "
      "in all partitions together\n  end the outages, set measure.end_s, or drop the job");
}

}  // namespace
}  // namespace palstudy
