// SPDX-License-Identifier: MIT
#include "core/files.hpp"

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

// Packed or not, a file has the same beginning, also where it is cut off behind it; a mark of UTF-8 is none of it.
TEST(TextFile, ABeginningIsUnpacked) {
  const auto path = std::filesystem::temp_directory_path() / ("palstudy-beginning-" + std::to_string(::getpid()));
  const auto beginning = [&](const std::string& data, std::size_t most) {
    std::ofstream(path, std::ios::binary) << data;
    return read_beginning(path, most);
  };
  for (const std::string& data : {packed, std::string("a,b\n1,2\n")}) {
    EXPECT_EQ(beginning(data, 3), "a,b");
    EXPECT_EQ(beginning(data, 100), "a,b\n1,2\n");
  }
  EXPECT_EQ(beginning("\xEF\xBB\xBF"
                      "a,b",
                      5),
            "a,");
  EXPECT_EQ(beginning("", 5), "");
  std::filesystem::remove(path);
  EXPECT_THROW((void)read_beginning(path, 5), Error);
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

class Output : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(dir); }
  void TearDown() override { std::filesystem::remove_all(dir); }
  // One for each test: they run side by side.
  const std::filesystem::path dir = std::filesystem::path(testing::TempDir()) / "palstudy-output" /
                                    testing::UnitTest::GetInstance()->current_test_info()->name();
};

// A folder is made with those above it, and that is said, once; a name without a folder needs none.
TEST_F(Output, ItsFolderIsMadeOnce) {
  testing::internal::CaptureStdout();  // where spdlog speaks unless told otherwise
  make_folder_of(dir / "a/b/out.h5");
  EXPECT_TRUE(std::filesystem::is_directory(dir / "a/b"));
  EXPECT_FALSE(std::filesystem::exists(dir / "a/b/out.h5"));
  make_folder_of(dir / "a/b/out.h5");
  make_folder_of("out.h5");
  const std::string said = testing::internal::GetCapturedStdout();
  const auto place = said.find("out.h5: its folder is new");
  EXPECT_NE(place, std::string::npos) << said;
  EXPECT_EQ(said.find("its folder is new", place + 10), std::string::npos) << said;
}

// Where a file is in the way it is refused, before or after; no folder is made, and the file stays as it is.
TEST_F(Output, AFileIsNoFolder) {
  std::filesystem::create_directories(dir);
  std::ofstream(dir / "file") << "kept";
  for (const char* below : {"file/out.h5", "file/more/out.h5"}) {
    EXPECT_THROW(require_new_output(dir / below, true), Error) << below;
    EXPECT_THROW(make_folder_of(dir / below), Error) << below;
  }
  EXPECT_THROW(require_new_output(dir / "file/", true), Error);
  EXPECT_EQ(std::filesystem::file_size(dir / "file"), 4U);
  // A link to nothing is no folder either, and nothing is made where it points.
  std::filesystem::create_symlink("nowhere", dir / "link");
  EXPECT_THROW(require_folders_above(dir / "link/out.h5"), Error);
  EXPECT_FALSE(std::filesystem::exists(dir / "nowhere"));
}

// What ends as only folders do names one, whether it is there or not.
TEST_F(Output, AFolderIsNoFile) {
  for (const char* name : {"new/", "new/.", "new/.."}) {
    EXPECT_THROW(require_new_output(dir / name, true), Error) << name;
  }
  EXPECT_THROW(require_new_output("", true), Error);
  EXPECT_NO_THROW(require_new_output(dir / "new/out.h5", false));
  EXPECT_FALSE(std::filesystem::exists(dir));
}

// Only a file that is there may be replaced, and only if that is wished; folders and devices never.
TEST_F(Output, OnlyAFileIsReplaced) {
  std::filesystem::create_directories(dir);
  std::ofstream(dir / "out.h5") << "old";
  EXPECT_NO_THROW(require_new_output(dir / "new.h5", false));
  EXPECT_NO_THROW(require_new_output(dir / "out.h5", true));
  EXPECT_THROW(require_new_output(dir / "out.h5", false), Error);
  EXPECT_THROW(require_new_output(dir, true), Error);
  EXPECT_THROW(require_new_output("/dev/null", true), Error);
}

}  // namespace
}  // namespace palstudy
