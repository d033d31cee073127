// SPDX-License-Identifier: MIT
#include "campaign/progress_line.hpp"

#include <gtest/gtest.h>

#include "campaign/campaign.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

// 12 of 48 in 6 s are 2 a second, so the other 36 take 18 s. 14 were taken, so 2 are running.
TEST(ProgressText, TellsRateAndTimeLeft) {
  EXPECT_EQ(progress_text({14, 11, 1, 12}, 48, 48, 4, 6.0),
            "11 of 48 runs done, 2 running, 1 failed, 2 runs/s, 18 s left");
}

// Two of six runs are done, and with them 20 of 24 likely seconds: the last four take a fifth of the time so far, not
// twice that time. Whether those seconds are a whole number of times too many does not matter. Of two ranks one has
// done two short runs while the other is at a long one, of which nothing is known to be done yet.
TEST(ProgressText, LooksAtHowLongTheRunsLeftWillTake) {
  for (const std::int64_t wrong : {1, 3}) {
    EXPECT_EQ(progress_text({3, 2, 0, 20 * wrong}, 6, 24 * wrong, 1, 10.0),
              "2 of 6 runs done, 1 running, 0 failed, 0.2 runs/s, 2 s left");
  }
  EXPECT_EQ(progress_text({4, 2, 0, 2}, 4, 102, 2, 2.0), "2 of 4 runs done, 2 running, 0 failed, 1 runs/s, 100 s left");
}

// At the end every rank has taken a number beyond the last run; that runs nothing.
TEST(ProgressText, CountsNothingBeyondTheLastRun) {
  EXPECT_EQ(progress_text({52, 48, 0, 48}, 48, 48, 4, 24.0),
            "48 of 48 runs done, 0 running, 0 failed, 2 runs/s, 0 s left");
  EXPECT_EQ(progress_text({0, 0, 0, 0}, 48, 48, 4, 0.0), "0 of 48 runs done, 0 running, 0 failed");
  EXPECT_EQ(progress_text({1, 0, 0, 0}, 1, 1, 1, 0.0), "0 of 1 run done, 1 running, 0 failed");
}

// Nothing can be said of the time left before a run has ended; of a long one, how far it is. Of several on as many
// ranks one is told of.
TEST(ProgressText, TellsHowFarTheFirstRunIs) {
  EXPECT_EQ(progress_text({1, 0, 0, 0}, 1, 1, 1, 70.0, RunProgress{43500, 3912}),
            "0 of 1 run done, 1 running, 0 failed, at 43500 s of simulated time with 3912 measured jobs to finish");
  EXPECT_EQ(progress_text({2, 0, 0, 0}, 9, 9, 2, 70.0, RunProgress{300, 8}),
            "0 of 9 runs done, 2 running, 0 failed, one at 300 s of simulated time with 8 measured jobs to finish");
  EXPECT_EQ(progress_text({14, 11, 1, 12}, 48, 48, 4, 6.0, RunProgress{300, 8}),
            "11 of 48 runs done, 2 running, 1 failed, 2 runs/s, 18 s left");
}

// All slices together are all runs, each once.
TEST(SliceTest, SharesTheRunsOut) {
  for (std::int64_t run = 0; run < 20; ++run) {
    int owners = 0;
    for (const char* text : {"1/3", "2/3", "3/3"}) owners += parse_slice(text).has(run) ? 1 : 0;
    EXPECT_EQ(owners, 1) << run;
  }
  for (const char* text : {"", "3", "0/3", "4/3", "1/0", "a/b", "1/3x", "/"}) {
    EXPECT_THROW((void)parse_slice(text), Error) << text;
  }
}

}  // namespace
}  // namespace palstudy
