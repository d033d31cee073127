// SPDX-License-Identifier: MIT
#include "core/durable_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/files.hpp"
#include "message_of.hpp"

namespace palstudy {
namespace {

class DurableFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(dir);
    std::filesystem::create_directories(dir);
    std::ofstream(precious) << "kept";
  }
  void TearDown() override { std::filesystem::remove_all(dir); }
  static std::string content(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::filesystem::path& output) {
    write_durably(output, std::as_bytes(std::span(std::string_view("new"))));
  }
  static std::string refusal(const std::filesystem::path& output) {
    return message_of(ErrorCode::data, [&] { write(output); });
  }
  const std::filesystem::path dir = std::filesystem::path(testing::TempDir()) / "palstudy-durable" /
                                    testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::filesystem::path output = dir / "x.h5", part = dir / "x.h5.part", precious = dir / "precious.txt";
};

// A link in the place of the part, to a file or to nothing, is refused: nothing is written where it leads, nothing
// made, and the link stays.
TEST_F(DurableFiles, NoLinkIsFollowedWhereThePartIsWritten) {
  for (const char* target : {"precious.txt", "nothing"}) {
    std::filesystem::create_symlink(target, part);
    EXPECT_NE(refusal(output).find("x.h5.part: is a link"), std::string::npos) << target;
    EXPECT_TRUE(std::filesystem::is_symlink(part));
    EXPECT_EQ(content(precious), "kept");
    EXPECT_FALSE(std::filesystem::exists(dir / "nothing") || std::filesystem::exists(output));
    EXPECT_THROW(require_new_output(output, true), Error) << "before the work, too";
    std::filesystem::remove(part);
  }
  EXPECT_NO_THROW(require_new_output(output, true));
}

// What a killed process left there is replaced, by a file of its own: another name of the old one keeps what it had.
TEST_F(DurableFiles, AnOldPartIsReplaced) {
  std::filesystem::create_hard_link(precious, part);
  write(output);
  EXPECT_EQ(content(output), "new");
  EXPECT_EQ(content(precious), "kept");
  EXPECT_FALSE(std::filesystem::exists(part));
}

// An output that is a link is written where that leads, and its part there; the link stays.
TEST_F(DurableFiles, AnOutputMayBeALink) {
  std::filesystem::create_directory(dir / "scratch");
  std::filesystem::create_symlink("scratch/real.h5", output);
  EXPECT_EQ(part_of(output), dir / "scratch/real.h5.part");
  write(output);
  EXPECT_TRUE(std::filesystem::is_symlink(output));
  EXPECT_EQ(content(dir / "scratch/real.h5"), "new");
  std::filesystem::create_symlink(precious, dir / "scratch/real.h5.part");
  EXPECT_NE(refusal(output), "");
  EXPECT_THROW(require_new_output(output, true), Error);
  EXPECT_EQ(content(precious), "kept");
}

// In a folder of the program's own nobody means a link: a file takes its place, and what it led to stays.
TEST_F(DurableFiles, AFileOfTheProgramsOwnTakesThePlaceOfALink) {
  std::filesystem::create_symlink("precious.txt", dir / "a.ckpt");
  const auto bytes = std::as_bytes(std::span(std::string_view("state")));
  write_durably(dir / "a.ckpt", part_beside(dir / "a.ckpt"), std::span(&bytes, 1));
  EXPECT_FALSE(std::filesystem::is_symlink(dir / "a.ckpt"));
  EXPECT_EQ(content(dir / "a.ckpt"), "state");
  EXPECT_EQ(content(precious), "kept");
}

}  // namespace
}  // namespace palstudy
