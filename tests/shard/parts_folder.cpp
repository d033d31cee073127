// SPDX-License-Identifier: MIT
#include "shard/parts_folder.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <system_error>

#include "core/error.hpp"
#include "parallel/without_launcher.hpp"

namespace palstudy {
namespace {

class OpenOutput : public ::testing::Test {
 protected:
  OpenOutput() { std::filesystem::remove_all(dir_); }
  ~OpenOutput() override { std::filesystem::remove_all(dir_); }
  std::filesystem::path dir_ =
      std::filesystem::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
  int tidied_ = 0;
  std::function<void()> tidy_ = [this] { ++tidied_; };
};

// The folder of the output is there when `open` is called, and nothing is tidied after a success.
TEST_F(OpenOutput, MakesTheFolderFirst) {
  const auto output = dir_ / "new" / "out.h5";
  bool there = false;
  open_output(
      output, [&] { there = std::filesystem::is_directory(output.parent_path()); }, tidy_);
  EXPECT_TRUE(there);
  EXPECT_EQ(tidied_, 0);
}

// An error of the file system becomes one of the input data that names the output and says what to do.
TEST_F(OpenOutput, NamesTheOutputInErrorsOfTheFileSystem) {
  const auto fail = [] {
    throw std::filesystem::filesystem_error("", std::make_error_code(std::errc::no_space_on_device));
  };
  try {
    open_output(dir_ / "out.h5", fail, tidy_);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    EXPECT_NE(std::string(error.what()).find("out.h5"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("give another -o"), std::string::npos);
  }
  EXPECT_EQ(tidied_, 1);
}

// Other errors pass as they are, tidied once.
TEST_F(OpenOutput, TidiesAfterOtherErrors) {
  EXPECT_THROW(open_output(
                   dir_ / "out.h5", [] { throw std::logic_error("x"); }, tidy_),
               std::logic_error);
  EXPECT_EQ(tidied_, 1);
}

class WorkOrTidy : public WithoutLauncher {
 protected:
  int argc_ = 0;
  char** argv_ = nullptr;
  Mpi mpi_{argc_, argv_};
};

TEST_F(WorkOrTidy, TidiesOnRank0AfterAnErrorAlone) {
  int tidied = 0;
  work_or_tidy(
      mpi_, [] {}, [&] { ++tidied; });
  EXPECT_EQ(tidied, 0);
  EXPECT_THROW(work_or_tidy(
                   mpi_, [] { throw std::logic_error("x"); }, [&] { ++tidied; }),
               std::logic_error);
  EXPECT_EQ(tidied, 1);
}

}  // namespace
}  // namespace palstudy
