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

// Written down, a value reads back as what it was: texts with quotes and control characters, tables whose keys want
// quotes, whole numbers that are reals.
TEST(TomlValues, AreWrittenSoThatTheyReadBack) {
  const auto text = [](const std::string& value) { return to_toml(TomlValue::of(value)); };
  EXPECT_EQ(text("a \"b\" \\ c"), "\"a \\\"b\\\" \\\\ c\"");
  EXPECT_EQ(text("\n\x1f \x7f"), "\"\\u000A\\u001F \\u007F\"");
  EXPECT_EQ(to_toml(TomlValue::of(300.0)), "300.0");
  EXPECT_EQ(to_toml(TomlValue::of(-0.5)), "-0.5");
  EXPECT_EQ(to_toml(TomlValue::of(true)), "true");
  for (const std::string written :
       {"\"a \\\"b\\\" \\\\ c\"", "\"\\u000A\\u001F \\u007F\"", "300.0", "inf", "-7", "false", "[]",
        "[1, [2.5, \"x\"]]", "{}", "{ \"\" = 1, \"a b\" = 2, a-b_C9 = 3 }"}) {
    const auto read = parse_toml_value(written, "here");
    ASSERT_TRUE(read) << written;
    EXPECT_EQ(to_toml(*read), written);
  }
}

// A message says what a value is, and each part of a value that --set gives has its place.
TEST(TomlValues, AreDescribedInWords) {
  const std::vector<std::pair<std::string, std::string>> words = {{"[]", "an empty list"},
                                                                  {"[1]", "a list"},
                                                                  {"{ a = 1 }", "a table"},
                                                                  {"2024-01-01", "a date or time"},
                                                                  {"true", "the boolean true"},
                                                                  {"\"x\"", "the text \"x\""},
                                                                  {"7", "7"},
                                                                  {"7.0", "7.0"}};
  for (const auto& [written, described] : words) EXPECT_EQ(describe(parse_toml_value(written, "").value()), described);
  const auto list = parse_toml_value("[1, { a = 2 }]", "there");
  ASSERT_TRUE(list && list->items.size() == 2);
  for (const TomlValue* value : {&*list, &list->items[0], &list->items[1], list->items[1].find("a")}) {
    ASSERT_NE(value, nullptr);
    EXPECT_EQ(value->where, "there");
  }
  EXPECT_EQ(list->items[1].find("b"), nullptr);
  EXPECT_FALSE(parse_toml_value("1\ny = 2", ""));
}

class StudyFiles : public Scratch {};

// Of a binary file the message says where the first byte is that no text has, counted from 1.
TEST_F(StudyFiles, ABinaryOneNamesTheByte) {
  expect_parts(refusal(std::string("ab\0c\0", 5)), {"study.toml:1:1", "(byte 3 is zero)"});
}

// Written by hand, a study is small: what is over 16 MiB is another file, refused before it is read.
TEST_F(StudyFiles, ATooLargeOneIsRefused) {
  const auto file = write("large.toml", "");
  constexpr std::uintmax_t most = 16U << 20U;
  for (const auto& [size, large] : {std::pair{most, false}, std::pair{most + 1, true}}) {
    std::filesystem::resize_file(file, size);  // of zeros, which are no TOML
    EXPECT_EQ(message_of([&] { (void)read_toml(file); }).find("too large") != std::string::npos, large);
  }
}

}  // namespace
}  // namespace palstudy
