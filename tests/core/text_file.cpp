// SPDX-License-Identifier: MIT
#include "core/text_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "core/csv.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

/// Bytes from hexadecimal digits.
std::string bytes(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return out;
}

// What `printf 'a,b\n1,2\n' | gzip -n` writes: a header of ten bytes, deflated data, CRC-32, length 8.
const std::string packed = bytes("1f8b08000000000000034bd449e232d431e202007b07970a08000000");

std::string refusal(const std::string& data, std::size_t most = text_size_limit) {
  try {
    (void)unpack_gzip(data, "t.gz", most);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 3);
    return error.what();
  }
  return "";
}

TEST(TextFile, UnpacksWhatGzipPacked) { EXPECT_EQ(unpack_gzip(packed, "t.gz"), "a,b\n1,2\n"); }

// RFC 1952: members one behind the other are their texts one behind the other, as `cat x.gz y.gz` makes them.
TEST(TextFile, UnpacksSeveralMembers) { EXPECT_EQ(unpack_gzip(packed + packed, "t.gz"), "a,b\n1,2\na,b\n1,2\n"); }

// Cut anywhere, or with any one bit of the data or its check sum turned over, it is refused or (in the header, where
// bits may mean nothing) gives the same text; never another text.
TEST(TextFile, NeverGivesAnotherText) {
  for (std::size_t size = 1; size < packed.size(); ++size) {
    EXPECT_NE(refusal(packed.substr(0, size)).find("t.gz: is "), std::string::npos) << size;
  }
  for (std::size_t bit = 0; bit < 8 * packed.size(); ++bit) {
    std::string damaged = packed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    try {
      EXPECT_EQ(unpack_gzip(damaged, "t.gz"), "a,b\n1,2\n") << bit;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 3) << bit;
    }
  }
  EXPECT_NE(refusal(packed + "more").find("is not what gzip packs"), std::string::npos);
}

TEST(TextFile, StopsAtTheLimit) { EXPECT_NE(refusal(packed, 3).find("is larger than"), std::string::npos); }

// Packed or not, a table is the same.
TEST(TextFile, TablesMayBePacked) {
  const auto path = std::filesystem::temp_directory_path() / ("palstudy-gzip-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary) << packed;
  EXPECT_EQ(CsvTable::read(path).integer(0, 1), 2);
  std::filesystem::remove(path);
}

// A header that is given instead of read: the first line is a row.
TEST(Csv, TakesAHeaderThatIsNotInTheFile) {
  const auto table = CsvTable::parse("1,x\n2,y\n", "t.csv", {"n", "name"});
  ASSERT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.integer(1, table.column("n")), 2);
  EXPECT_EQ(table.where(0, 1), "t.csv:1:3");
  EXPECT_EQ(table.line(1), 2u);
  EXPECT_EQ(table.place_in_line(0, 1), 3u);
  EXPECT_THROW((void)CsvTable::parse("1\n", "t.csv", {"n", "name"}), Error);
}

}  // namespace
}  // namespace palstudy
