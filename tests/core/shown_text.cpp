// SPDX-License-Identifier: MIT
#include "core/shown_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/wrapped_text.hpp"

namespace palstudy {
namespace {

// What a terminal obeys is written down: escape sequences, line ends, deletion, the control characters from 0x80 on,
// and what turns the direction of writing (U+061C, U+200E to U+200F, U+202A to U+202E, U+2066 to U+2069) or ends a line
// (U+2028, U+2029).
TEST(ShownText, WhatATerminalObeysIsWrittenDown) {
  EXPECT_EQ(shown("\x1b]0;title\x07"), "\\u{1b}]0;title\\u{7}");
  EXPECT_EQ(shown("a\r\nb\tc\x7f"), "a\\u{d}\\u{a}b\\u{9}c\\u{7f}");
  EXPECT_EQ(shown(std::string("a\0b", 3)), "a\\u{0}b");
  EXPECT_EQ(shown("\xc2\x9b"), "\\u{9b}");
  EXPECT_EQ(shown("user\xe2\x80\xaetxt"), "user\\u{202e}txt");
  EXPECT_EQ(shown("\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xaa\xe2\x81\xa6\xe2\x81\xa9"),
            "\\u{61c}\\u{200e}\\u{200f}\\u{202a}\\u{2066}\\u{2069}");
  EXPECT_EQ(shown("\xe2\x80\xa8\xe2\x80\xa9"), "\\u{2028}\\u{2029}");
}

// All else is as it was: letters of any script, signs beside those above, a backslash.
TEST(ShownText, AllElseStays) {
  for (const char* text :
       {"", "plain", "a\\u{1b}", "\xc3\xa9\xc2\xa0", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
        "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(shown(text), text);
  }
}

// A byte that belongs to no character is none to print: terminals disagree about it. Those after it are looked at
// again.
TEST(ShownText, BytesThatAreNoUtf8AreWrittenDown) {
  EXPECT_EQ(shown("\x9b\x33"), "\\x{9b}3");
  EXPECT_EQ(shown("\xc3"), "\\x{c3}");
  EXPECT_EQ(shown("\xc0\x9b"), "\\x{c0}\\x{9b}") << "an overlong escape";
  EXPECT_EQ(shown("\xe0\x80\x9b"), "\\x{e0}\\x{80}\\x{9b}");
  EXPECT_EQ(shown("\xed\xa0\x80"), "\\x{ed}\\x{a0}\\x{80}") << "half of a pair of UTF-16";
  EXPECT_EQ(shown("\xf4\x90\x80\x80"), "\\x{f4}\\x{90}\\x{80}\\x{80}") << "beyond the last character";
  EXPECT_EQ(shown("\xe2\x1b[0m"), "\\x{e2}\\u{1b}[0m");
}

// Text of several lines keeps its lines and its tabs, and nothing else that a name may not have.
TEST(ShownText, LinesStayWhereTheyAreMeant) {
  EXPECT_EQ(shown_lines("a\tb\nc\n"), "a\tb\nc\n");
  EXPECT_EQ(shown_lines("a\r\n\x1b[31m"), "a\\u{d}\n\\u{1b}[31m");
}

// A mark takes no column, stands around each word, so that a cell may be wrapped, and is a sequence of the terminal or
// nothing.
TEST(ShownText, MarksOfColoursAreForTerminals) {
  const std::string text = tinted("-42.9 %", Tint::better) + " and on";
  EXPECT_EQ(width_of(text), 14U);
  EXPECT_EQ(with_colours(text, false), "-42.9 % and on");
  EXPECT_EQ(with_colours(text, true), "\x1b[32m-42.9\x1b[0m \x1b[32m%\x1b[0m and on");
  EXPECT_EQ(with_colours(shown_lines(text), false), "-42.9 % and on") << "it is not what a terminal would obey";
}

}  // namespace
}  // namespace palstudy
