// SPDX-License-Identifier: MIT
#include "study/toml_value.hpp"

#include <gtest/gtest.h>

#include "campaign/scratch.hpp"
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

class StudyFiles : public Scratch {};

// Written by hand, a study is small: what is over 16 MiB is another file, refused before it is read.
TEST_F(StudyFiles, ATooLargeOneIsRefused) {
  const auto file = write("large.toml", "");
  constexpr std::uintmax_t most = 16U << 20U;
  for (const auto& [size, large] : {std::pair{most, false}, std::pair{most + 1, true}}) {
    std::filesystem::resize_file(file, size);  // of zeros, which are no TOML
    try {
      (void)read_toml(file);
      ADD_FAILURE() << size;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("too large") != std::string::npos, large) << error.what();
    }
  }
}

}  // namespace
}  // namespace palstudy
