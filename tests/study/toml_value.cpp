// SPDX-License-Identifier: MIT
#include "study/toml_value.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace palstudy {
namespace {

// A date is read, so that the message can say where it stands, but no study has one: it is never written out.
TEST(TomlValues, ADateIsNotWritten) {
  const auto date = parse_toml_value("2024-01-01", "here");
  ASSERT_TRUE(date);
  EXPECT_EQ(date->kind, TomlValue::Kind::other);
  EXPECT_THROW((void)to_toml(*date), Error);
}

}  // namespace
}  // namespace palstudy
