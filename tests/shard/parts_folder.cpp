// SPDX-License-Identifier: MIT
#include "shard/parts_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <system_error>
#include <tuple>

#include "core/error.hpp"
#include "parallel/without_launcher.hpp"
#include "record/small_run.hpp"

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

class FolderOfParts : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& text = "") const {
    std::ofstream(dir_.path() / name, std::ios::binary) << text;
  }
  [[nodiscard]] std::filesystem::directory_entry entry(const std::string& name) const {
    return std::filesystem::directory_entry(dir_.path() / name);
  }
  const test::TempDir dir_;
};

// A file is known by its name, by that which it gets once it is written, or by how it ends; whatever is no file, or
// only looks like one that is being written, is another's.
TEST_F(FolderOfParts, AFileIsKnownByTheNameThatItGets) {
  const std::vector<std::string> names = {"study.toml", "*.ckpt"};
  for (const char* own :
       {"study.toml", "study.toml.part", "study.toml.17.new", "a.ckpt", "a.ckpt.part", "a.ckpt.3.new"}) {
    put(own);
    EXPECT_TRUE(is_file_named(entry(own), names)) << own;
  }
  for (const char* other : {"study.tom", "study.toml.new", "study.toml.x7.new", "study.toml.17.old", "my-study.toml",
                            "study.toml.parts", "a.ckpt.17", "ckpt", ".new", ".part"}) {
    put(other);
    EXPECT_FALSE(is_file_named(entry(other), names)) << other;
  }
  std::filesystem::create_directory(dir_.path() / "b.ckpt");
  std::filesystem::create_symlink("a.ckpt", dir_.path() / "c.ckpt");
  EXPECT_FALSE(is_file_named(entry("b.ckpt"), names)) << "a folder";
  EXPECT_FALSE(is_file_named(entry("c.ckpt"), names)) << "a link";
}

// A shard begins with the letters of its kind, as far as a kill let them be written.
TEST_F(FolderOfParts, AShardIsKnownByItsBeginning) {
  const FrameKind kind{{'P', 'A', 'L', 'T', 'E', 'S', 'T', '1'}, 1};
  for (const auto& [name, text, is] : {std::tuple("a.shard", "PALTEST1 and more", true),
                                       {"b.shard", "PALT", true},
                                       {"c.shard", "", true},
                                       {"d.shard", "PALTEST2", false},
                                       {"e.shard", "PALX", false},
                                       {"f.text", "PALTEST1", false}}) {
    put(name, text);
    EXPECT_EQ(is_shard_of(kind, entry(name)), is) << name;
  }
  std::filesystem::create_symlink("a.shard", dir_.path() / "g.shard");
  EXPECT_FALSE(is_shard_of(kind, entry("g.shard")));
}

// What stays is named in one line: all up to five, of more the first five and how many there are besides. The locks are
// neither removed here nor named.
TEST_F(FolderOfParts, WhatStaysIsNamed) {
  const auto left = [&] {
    return clear_parts(dir_.path(), [](const auto& one) {
      if (one.path().extension() == ".own") std::filesystem::remove(one.path());
    });
  };
  for (const char* name : {"lock", "slices.lock", "x.own"}) put(name);
  EXPECT_EQ(left(), "");
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "x.own"));
  EXPECT_TRUE(std::filesystem::exists(dir_.path() / "lock"));
  const std::string begin = dir_.path().string() + ": not made here, so it stays: ";
  put("e");
  EXPECT_EQ(left(), begin + "e; move it away");
  for (const char* name : {"c", "a", "d", "b"}) put(name);
  EXPECT_EQ(left(), begin + "a, b, c, d, e; move it away");
  put("f");
  EXPECT_EQ(left(), begin + "a, b, c, d, e and 1 more; move it away");
}

// What stands in the place of the folder is told apart: a file, and a link, wherever it leads, since what a campaign
// removes would be removed there. A folder, and nothing at all, are as good as each other.
TEST_F(FolderOfParts, NothingElseMayStandInItsPlace) {
  const auto said = [&](const std::string& name) -> std::string {
    try {
      require_folder(dir_.path() / name);
    } catch (const Error& error) {
      return (error.code() == ErrorCode::usage ? "" : "of another code: ") + std::string(error.what());
    }
    return "";
  };
  put("file");
  std::filesystem::create_directory(dir_.path() / "folder");
  std::filesystem::create_symlink("folder", dir_.path() / "link");
  std::filesystem::create_symlink("nowhere", dir_.path() / "dangling");
  for (const char* good : {"none", "folder"}) EXPECT_EQ(said(good), "") << good;
  EXPECT_NE(said("file").find("file: is no folder; that of the shards has this name"), std::string::npos);
  for (const std::string link : {"link", "dangling"}) {
    EXPECT_NE(said(link).find(link + ": is a link; the folder of the shards has this name"), std::string::npos);
  }
}

}  // namespace
}  // namespace palstudy
