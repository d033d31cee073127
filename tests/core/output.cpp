// SPDX-License-Identifier: MIT
#include "core/output.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"

namespace palstudy {
namespace {

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
