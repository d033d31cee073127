// SPDX-License-Identifier: MIT
#include "core/text.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "core/random.hpp"

namespace palstudy {
namespace {

// The limit is max(2, a third of the word): "fifi" may be 2 away, "packed-stick" 4.
TEST(Text, NearestIsTheClosestWithinTheLimit) {
  const std::vector<std::string> words = {"fifo", "las", "packed-nonsticky", "packed-sticky", "srtf"};
  EXPECT_EQ(nearest("fifi", words), "fifo");
  EXPECT_EQ(nearest("lass", words), "las");
  EXPECT_EQ(nearest("SRTF", words), "srtf");  // case is no difference
  EXPECT_EQ(nearest("packed-stick", words), "packed-sticky");
  EXPECT_EQ(nearest("packednonsticky", words), "packed-nonsticky");
  EXPECT_EQ(nearest("srtf", words), "srtf");
  EXPECT_EQ(nearest("completely-else", words), std::nullopt);
  EXPECT_EQ(nearest("fifo", {}), std::nullopt);
}

// One has no plural, and everything else has, none too.
TEST(Text, CountsInWords) {
  EXPECT_EQ(counted(0, "run"), "0 runs");
  EXPECT_EQ(counted(1, "run"), "1 run");
  EXPECT_EQ(counted(2, "CPU core"), "2 CPU cores");
}

// Seconds up to two minutes, minutes up to two hours, then hours and minutes. Times are rounded up, because "up to 3
// min" is no less than what it bounds, and "0 s" means that nothing is left.
TEST(Text, TellsTimesInTheUnitsOfAClock) {
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(0.06), "1 s");
  EXPECT_EQ(duration_text(118.5), "119 s");
  EXPECT_EQ(duration_text(120), "2 min");
  EXPECT_EQ(duration_text(121), "3 min");
  EXPECT_EQ(duration_text(119 * 60.0), "119 min");
  EXPECT_EQ(duration_text(119 * 60.0 + 1), "2 h 0 min");
  EXPECT_EQ(duration_text(120 * 60.0), "2 h 0 min");
  EXPECT_EQ(duration_text(185 * 60.0), "3 h 5 min");
}

// Sizes are read by eye, and set side by side: 17500 MiB, not 1.75e+04.
TEST(Text, LargeNumbersHaveNoExponent) {
  EXPECT_EQ(in_digits(0.72849), "0.728");
  EXPECT_EQ(in_digits(999.4), "999");
  EXPECT_EQ(in_digits(999.6), "1000");
  EXPECT_EQ(in_digits(-17520.6), "-17521");
  EXPECT_EQ(mib_text(12), "12 MiB");
}

TEST(Text, NearestTakesTheFirstOfEqualOnes) {
  const std::vector<std::string> words = {"ab", "ac"};
  EXPECT_EQ(nearest("ad", words), "ab");
}

TEST(Text, Join) {
  EXPECT_EQ(join({}), "");
  const std::vector<std::string> words = {"a", "b", "c"};
  EXPECT_EQ(join(words), "a, b, c");
  EXPECT_EQ(join(words, "|"), "a|b|c");
}

TEST(Text, ParsesWholeTextsOnly) {
  EXPECT_EQ(parse_double("0.1"), 0.1);
  EXPECT_EQ(parse_double("-1e-3"), -0.001);
  EXPECT_EQ(parse_double("17976931348623157e292"), std::numeric_limits<double>::max());
  EXPECT_TRUE(std::isnan(parse_double("nan").value()));
  EXPECT_TRUE(std::isinf(parse_double("inf").value()));
  for (const char* text : {"", " 1", "1 ", "1x", "+1", "1,5", "1e999", "--1"})
    EXPECT_EQ(parse_double(text), std::nullopt) << text;
  EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
  for (const char* text : {"", "1.0", "1e3", " 1", "9223372036854775808"})
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
}

// Whole numbers that the type does not hold, and nothing else.
TEST(Text, WholeNumbersBeyond64Bits) {
  for (const std::string text : {"9223372036854775808", "+9223372036854775808", "-9223372036854775809",
                                 "99999999999999999999999999999999999999999"})
    EXPECT_TRUE(beyond_64_bits(text)) << text;
  for (const std::string text :
       {"9223372036854775807", "-9223372036854775808", "+7", "00000000000000000000000007", "", "-", "1e99",
        "9223372036854775808.0", "9223372036854775808x", "--9223372036854775808", "inf"})
    EXPECT_FALSE(beyond_64_bits(text)) << text;
}

TEST(Text, ShortestIsShort) {
  EXPECT_EQ(shortest(360), "360");
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(-0.5), "-0.5");
  EXPECT_EQ(shortest(std::nan("")), "nan");
  EXPECT_EQ(shortest(std::numeric_limits<double>::infinity()), "inf");
}

// Doubles of all magnitudes: random bit patterns, those that are not finite left out.
TEST(Text, ShortestReadsBackAsTheSameDouble) {
  int finite = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const auto words = draw(1, Purpose::arrival, i, 0);
    const double value = std::bit_cast<double>((std::uint64_t{words[0]} << 32) | words[1]);
    if (!std::isfinite(value)) continue;
    ++finite;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(parse_double(shortest(value)).value()), std::bit_cast<std::uint64_t>(value));
  }
  EXPECT_GT(finite, 19000);
}

TEST(Text, CsvFieldQuotesWhereItMust) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field(" before"), "\" before\"");  // spaces around a field without quotes do not count
  EXPECT_EQ(csv_field("after\t"), "\"after\t\"");
}

// A printed command is copied into a shell: there each word has to be what it was, a quote within a name too.
TEST(Text, ShellWordsAreWhatTheyWere) {
  EXPECT_EQ(shell_word("results/s1.h5"), "results/s1.h5");
  for (const std::string word : {"", "with space.toml", "o'brien.toml", "'", "a\"b", "$HOME", "`id`", "a\\b", "a;b&c|d",
                                 "~", "#1", "two\nlines", "policy.order=[\"fifo\"]", "caf\u00e9", "seed={first=1}"}) {
    const std::string command = "printf %s " + shell_word(word);
    FILE* shell = popen(command.c_str(), "r");
    ASSERT_NE(shell, nullptr);
    std::array<char, 100> told{};
    const std::size_t bytes = std::fread(told.data(), 1, told.size(), shell);
    EXPECT_EQ(pclose(shell), 0) << command;
    EXPECT_EQ(std::string(told.data(), bytes), word) << command;
  }
}

}  // namespace
}  // namespace palstudy
