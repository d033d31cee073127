// SPDX-License-Identifier: MIT
#include "cli/tables/profile_text.hpp"

#include <gtest/gtest.h>

#include "core/text.hpp"
#include "core/wrapped_text.hpp"
#include "inputs/profile/profile_files.hpp"

namespace palstudy {
namespace {

// The screen of reliability fits where it is shown, though all figures of a machine are 205 columns wide. Every kernel
// has a row, and the next command is of the profile as it was given.
TEST(ProfileText, ReliabilityFitsTheScreen) {
  const auto profile = load_profile("longhorn").measured;
  for (const std::size_t columns : {100U, 70U}) {
    for (const std::string& line : split(reliability_text(profile, "longhorn", columns), '\n')) {
      EXPECT_LE(width_of(line), columns) << line;
    }
  }
  const std::string text = reliability_text(profile, "longhorn", 100);
  for (const char* kernel : {"\nbert ", "\npagerank ", "\nresnet50 ", "\nsgemm "}) {
    EXPECT_NE(text.find(kernel), std::string::npos) << kernel << text;
  }
  EXPECT_TRUE(text.ends_with("\nnext: palstudy profile bins longhorn   all columns: --wide\n")) << text;
}

// The published SGEMM times of Longhorn: 392 GPUs that were slow stay slow, over 18 runs of each; nobody knows the
// sessions.
TEST(ProfileText, ReliabilitySaysWhatIsKnown) {
  const std::string text = reliability_text(load_profile("longhorn-sgemm").measured, "longhorn-sgemm", 200);
  EXPECT_NE(text.find("longhorn-sgemm   392          18.0        1.71 %        0.10 %       0.997                 -  "
                      "       0.01\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace palstudy
