// SPDX-License-Identifier: MIT
#include "core/error.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// The message is "where: what", then the advice on a line of its own; parts that are empty leave nothing behind.
TEST(Error, ComposesItsMessage) {
  EXPECT_STREQ(data_error("is empty", "t.csv", "Fill it.").what(), "t.csv: is empty\n  Fill it.");
  EXPECT_STREQ(data_error("is empty", "t.csv").what(), "t.csv: is empty");
  EXPECT_STREQ(data_error("is empty", "", "Fill it.").what(), "is empty\n  Fill it.");
  EXPECT_STREQ(data_error("is empty").what(), "is empty");
}

// The parts are what it was made of, also of a copy; in one line a semicolon stands before the advice.
TEST(Error, KeepsItsParts) {
  const Error error = data_error("is empty", "t.csv", "fill it"), copy = error;
  EXPECT_EQ(copy.parts(), (ErrorParts{"is empty", "t.csv", "fill it"}));
  EXPECT_EQ(std::string(error.parts()), "t.csv: is empty; fill it");
  EXPECT_EQ(std::string(ErrorParts{"is empty", "", ""}), "is empty");
}

// The exit codes are promised to scripts.
TEST(Error, ExitCodes) {
  EXPECT_EQ(fault("x").exit_code(), 1);
  EXPECT_EQ(usage_error("x").exit_code(), 2);
  EXPECT_EQ(data_error("x").exit_code(), 3);
  EXPECT_EQ(Error(ErrorCode::stopped, "x").exit_code(), 4);
  EXPECT_EQ(Error(ErrorCode::verification, "x").exit_code(), 5);
}

}  // namespace
}  // namespace palstudy
