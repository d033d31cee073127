// SPDX-License-Identifier: MIT
#include "core/wrapped_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/text.hpp"

namespace palstudy {
namespace {

/// What `log_wrapped` writes, in lines. spdlog speaks on standard output unless told otherwise.
std::vector<std::string> logged(const std::string& text) {
  testing::internal::CaptureStdout();
  log_wrapped(text);
  return split(testing::internal::GetCapturedStdout(), '\n');
}

// One message has one time, however many lines it takes. The prefix of the program, "[12:34:56] info: ", has 17
// columns, so that 80 of text end at column 97.
TEST(WrappedText, OneMessageOfTheLogHasOneTime) {
  const std::string first(60, 'a'), second(70, 'b'), third(9, 'c');
  const auto lines = logged(first + " " + second + " " + third);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with("[") && lines[0].ends_with("] " + first)) << lines[0];
  EXPECT_EQ(lines[1], std::string(17, ' ') + second + " " + third);
}

// No words, no line.
TEST(WrappedText, NothingIsNoMessage) { EXPECT_EQ(logged(""), std::vector<std::string>{}); }

}  // namespace
}  // namespace palstudy
