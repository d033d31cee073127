// SPDX-License-Identifier: MIT
#include "core/progress_report.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// How far it is, where that is known, and for how long it has been going on.
TEST(ProgressReports, ShowThePartDone) {
  EXPECT_EQ(step_text("binning 9 GPUs", 0, 0, 2.4), "binning 9 GPUs: 2 s");
  EXPECT_EQ(step_text("simulating runs", 3, 24, 12.6), "simulating runs: 3 of 24 done, 13 s");
}

// A step that is over at once says nothing, whether it may have taken long or not.
TEST(ProgressReports, OfShortStepsAreSilent) {
  testing::internal::CaptureStderr();
  for (const bool may : {true, false}) {
    ProgressReport step("nothing much", may);
    step.at(1, 2);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace palstudy
