// SPDX-License-Identifier: MIT
#include "core/csv.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/error.hpp"
#include "core/text.hpp"
#include "message_of.hpp"

namespace palstudy {
namespace {

CsvTable parsed(const std::string& text) { return CsvTable::parse(text, "t.csv"); }

std::string refusal_of(const std::string& text) {
  return message_of(ErrorCode::data, [&] { (void)parsed(text); });
}

void expect_begins(const std::string& message, const std::string& beginning) {
  EXPECT_EQ(message.substr(0, beginning.size()), beginning) << message;
  EXPECT_NE(message.find("\n  "), std::string::npos) << "says what to do: " << message;
}

TEST(Csv, HeaderAndFields) {
  const auto table = parsed("a,b\n1,x y\n-2.5,\n");
  EXPECT_EQ(table.header(), (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.text(0, 1), "x y");
  EXPECT_EQ(table.number(1, 0), -2.5);
  EXPECT_EQ(table.text(1, 1), "");
  EXPECT_EQ(table.column("b"), 1u);
  EXPECT_TRUE(table.has_column("a"));
  EXPECT_FALSE(table.has_column("A"));
}

// The same table with CRLF, with a byte order mark, without the last line end, with blank lines and with spaces around
// fields.
TEST(Csv, FormsOfOneTable) {
  for (const char* text :
       {"a,b\r\n1,2\r\n",
        "\xEF\xBB\xBF"
        "a,b\n1,2\n",
        "a,b\n1,2", "\n \na,b\n\n\r\n1,2\n\t\n", " a ,\tb\n 1 , 2 \n", "\"a\",\"b\"\n\"1\", \"2\" \n", "a,b\n1,2\r"}) {
    const auto table = parsed(text);
    EXPECT_EQ(table.header(), (std::vector<std::string>{"a", "b"})) << text;
    ASSERT_EQ(table.rows(), 1u) << text;
    EXPECT_EQ(table.integer(0, 0), 1) << text;
    EXPECT_EQ(table.integer(0, 1), 2) << text;
  }
}

TEST(Csv, QuotedFieldsKeepCommasQuotesAndSpaces) {
  const auto table = parsed("a,b,c\n\"x,y\",\" \"\"hi\"\" \",\"\"\nplain,q\"q,3\n");
  EXPECT_EQ(table.text(0, 0), "x,y");
  EXPECT_EQ(table.text(0, 1), " \"hi\" ");
  EXPECT_EQ(table.text(0, 2), "");
  EXPECT_EQ(table.text(1, 1), "q\"q");  // a quote inside an unquoted field is a character like others
}

// The header line tells what stands between fields: a comma wherever it has one, else semicolons, tabs or bars. Places,
// blanks around fields and quotes are as with commas, and an empty field before a tab is a field.
TEST(Csv, OtherSeparatorsThanCommas) {
  for (const std::string separator : {",", ";", "\t", "|"}) {
    SCOPED_TRACE(separator);
    const auto table = parsed("a" + separator + " \"b" + separator + "c\" " + separator + "d\r\n" + separator + "2" +
                              separator + "x y\r\n");
    EXPECT_EQ(table.header(), (std::vector<std::string>{"a", "b" + separator + "c", "d"}));
    ASSERT_EQ(table.rows(), 1U);
    EXPECT_EQ(table.text(0, 0), "");
    EXPECT_EQ(table.integer(0, 1), 2);
    EXPECT_EQ(table.text(0, 2), "x y");
    EXPECT_EQ(table.where(0, 1), "t.csv:2:2");
  }
  EXPECT_EQ(parsed("a,b;c\n1,2\n").header(), (std::vector<std::string>{"a", "b;c"}));
  expect_begins(refusal_of("a;b\n1;2;3\n"), "t.csv:2:5: 3 fields where the header in line 1 names 2 columns");
  const auto decimal = parsed("a;b\n1;2,5\n");
  expect_begins(message_of(ErrorCode::data, [&] { (void)decimal.number(0, 1); }),
                "t.csv:2:3: \"2,5\" is not a finite number");
}

// What csv_field writes reads back as the same text, whatever separators and quotes are in it.
TEST(Csv, ReadsWhatCsvFieldWrites) {
  for (const std::string field : {"plain", "a,b", "\"", "\"\"", "a\"b,\"c\"", "ünï", "x"}) {
    const auto table = parsed("k,v\n1," + csv_field(field) + "\n");
    EXPECT_EQ(table.text(0, 1), field);
  }
}

// Line and column count from 1, in the file as it is: blank lines count, and so do the quotes before a field.
TEST(Csv, PlacesAreThoseOfTheFile) {
  const auto table = parsed("a,b\n\n\"x,y\",z\n  1,2\n");
  EXPECT_EQ(table.where(0, 0), "t.csv:3:1");
  EXPECT_EQ(table.where(0, 1), "t.csv:3:7");
  EXPECT_EQ(table.where(1, 0), "t.csv:4:3");
  EXPECT_EQ(table.where(1, 1), "t.csv:4:5");
}

TEST(Csv, RefusesTextThatIsNoTable) {
  expect_begins(refusal_of(""), "t.csv: is empty");
  expect_begins(refusal_of("\n \r\n"), "t.csv: is empty");
  expect_begins(refusal_of("\xEF\xBB\xBF"), "t.csv: is empty");
  expect_begins(refusal_of("a,b\n1\n"), "t.csv:2:2: 1 fields where the header in line 1 names 2 columns");
  expect_begins(refusal_of("a,b\n1,2\n1,2,3\n"), "t.csv:3:5: 3 fields where the header in line 1 names 2 columns");
  expect_begins(refusal_of("# of mine\na,b\n1,2\n"), "t.csv:1: begins with a comment");
  expect_begins(refusal_of("a,b,a\n"), "t.csv:1: the column \"a\" is there twice");
  expect_begins(refusal_of("a,b\n1,\"2\n3,4\n"), "t.csv:2:3: this quote is not closed");
  expect_begins(refusal_of("a,b\n1,\"2\"x\n"), "t.csv:2:6: text after a closing quote");
}

TEST(Csv, RefusesWhatIsNoText) {
  expect_begins(refusal_of(std::string("a,b\n1,\0\n", 8)), "t.csv:2:3: byte 0x00 is not text");
  expect_begins(refusal_of("a\x01"), "t.csv:1:2: byte 0x01");
  expect_begins(refusal_of("a\x7F"), "t.csv:1:2: byte 0x7F");
  expect_begins(refusal_of("\x89HDF\r\n\x1a\n"), "t.csv:1:1: byte 0x89");
  expect_begins(refusal_of("a,b\rc,d\r"), "t.csv:1:4: byte 0x0D");   // old Mac line ends
  expect_begins(refusal_of("a\n\xC3("), "t.csv:2:1: byte 0xC3");     // Latin-1
  expect_begins(refusal_of("a\n\xC0\xAF"), "t.csv:2:1: byte 0xC0");  // an overlong form
  expect_begins(refusal_of("a\n\xE0\x80\xAF"), "t.csv:2:1: byte 0xE0");
  expect_begins(refusal_of("a\n\xED\xA0\x80"), "t.csv:2:1: byte 0xED");      // half a surrogate pair
  expect_begins(refusal_of("a\n\xF4\x90\x80\x80"), "t.csv:2:1: byte 0xF4");  // over U+10FFFF
  expect_begins(refusal_of("a\n\xE2\x82"), "t.csv:2:1: byte 0xE2");          // cut off
  EXPECT_EQ(parsed("a\n\xE2\x82\xAC \xF0\x9F\x98\x80\n").text(0, 0), "\xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST(Csv, OnlyAHeaderIsATableWithoutRows) { EXPECT_EQ(parsed("a,b\n").rows(), 0u); }

TEST(Csv, AMissingColumnNamesThoseThatAreThere) {
  const auto table = parsed("a,b\n1,2\n");
  expect_begins(message_of(ErrorCode::data, [&] { (void)table.column("c"); }),
                "t.csv:1: the header names no column \"c\"\n  its columns: a, b");
}

TEST(Csv, NumbersAreFiniteAndWhole) {
  const auto table = parsed("x\n1e3\n0.1\nnan\ninf\n-inf\n1e999\n 1x\n+1\n0x10\n\"\"\n");
  EXPECT_EQ(table.number(0, 0), 1000);
  EXPECT_EQ(table.number(1, 0), 0.1);
  for (std::size_t row = 2; row < table.rows(); ++row) {
    const auto message = message_of(ErrorCode::data, [&] { (void)table.number(row, 0); });
    EXPECT_NE(message.find("is not a finite number"), std::string::npos) << message;
    EXPECT_EQ(message.find(table.where(row, 0)), 0u) << message;
  }
}

TEST(Csv, IntegersMayBeWrittenAsWholeDoubles) {
  const auto table = parsed("x\n3\n3.0\n3e2\n-0.0\n9223372036854775807\n9007199254740992.0\n");
  const std::vector<long long> expected = {3, 3, 300, 0, INT64_MAX, 9007199254740992};
  for (std::size_t row = 0; row < expected.size(); ++row) EXPECT_EQ(table.integer(row, 0), expected[row]);
  const auto bad = parsed("x\n3.5\nnan\ninf\n-inf\nthree\n1e999\n\"\"\n");
  for (std::size_t row = 0; row < bad.rows(); ++row) {
    const auto message = message_of(ErrorCode::data, [&] { (void)bad.integer(row, 0); });
    EXPECT_EQ(message.find(bad.where(row, 0)), 0u) << message;
    EXPECT_NE(message.find("is not a whole number"), std::string::npos) << message;
  }
}

// 2^63 is no int64, and a double over 2^53 no longer says which integer was meant. They are whole numbers, though.
TEST(Csv, IntegersBeyond64BitsAreCalledTooLarge) {
  const auto large = parsed("x\n9223372036854775808\n-9223372036854775809\n1e300\n9007199254740994.0\n" +
                            std::string(400, '9') + "\n");
  ASSERT_EQ(large.rows(), 5u);
  for (std::size_t row = 0; row < large.rows(); ++row) {
    const auto message = message_of(ErrorCode::data, [&] { (void)large.integer(row, 0); });
    EXPECT_EQ(message.find(large.where(row, 0)), 0u) << message;
    EXPECT_NE(message.find("is too large for a whole number"), std::string::npos) << message;
    EXPECT_NE(message.find("9223372036854775807"), std::string::npos) << "says the limit: " << message;
  }
}

TEST(Csv, IntegersWithinBounds) {
  const auto table = parsed("x\n0\n1\n8\n9\n");
  EXPECT_EQ(table.integer(1, 0, 1, 8), 1);
  EXPECT_EQ(table.integer(2, 0, 1, 8), 8);
  expect_begins(message_of(ErrorCode::data, [&] { (void)table.integer(0, 0, 1, 8); }),
                "t.csv:2:1: 0 is not within 1 and 8");
  expect_begins(message_of(ErrorCode::data, [&] { (void)table.integer(3, 0, 1, 8); }),
                "t.csv:5:1: 9 is not within 1 and 8");
}

// A field of a megabyte does not become a message of a megabyte.
TEST(Csv, MessagesStayShort) {
  const auto table = parsed("x\n" + std::string(1 << 20, 'y') + "\n");
  EXPECT_LT(message_of(ErrorCode::data, [&] { (void)table.number(0, 0); }).size(), 300u);
}

TEST(Csv, ReadsFilesAndRefusesWhatCannotBeRead) {
  const auto dir = std::filesystem::temp_directory_path() / ("palstudy-csv-" + std::to_string(::getpid()));
  std::filesystem::create_directories(dir);
  std::ofstream(dir / "good.csv") << "a\n7\n";
  std::ofstream(dir / "empty.csv") << "";
  EXPECT_EQ(CsvTable::read(dir / "good.csv").integer(0, 0), 7);
  EXPECT_EQ(CsvTable::read(dir / "good.csv").name(), (dir / "good.csv").string());
  const auto refused = [&](const char* name) {
    return message_of(ErrorCode::data, [&] { (void)CsvTable::read(dir / name); });
  };
  expect_begins(refused("none.csv"), (dir / "none.csv").string() + ": cannot be read");
  expect_begins(refused("empty.csv"), (dir / "empty.csv").string() + ": is empty");
  expect_begins(refused(""), (dir / "").string() + ": is a directory");
  std::filesystem::remove_all(dir);
}

}  // namespace
}  // namespace palstudy
