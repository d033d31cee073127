// SPDX-License-Identifier: MIT
#include "campaign/merge.hpp"

#include <set>
#include <string>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class RemovedShards : public Scratch {};

// The folder of a slice goes with its lock, unless something else lies in it. Another folder is left alone, also its
// file that is called like a lock, and so is what a link leads to that is called like the folder of a slice: the link
// stays too.
TEST_F(RemovedShards, TakeNothingOfOthersWithThem) {
  const std::filesystem::path parts = dir / "out.h5.parts", outside = dir / "outside";
  for (const std::string folder :
       {"out.h5.parts/slice-1-of-3", "out.h5.parts/slice-2-of-3", "out.h5.parts/mine", "outside"}) {
    std::filesystem::create_directories(dir / folder);
    write(folder + "/lock", "");
  }
  write("out.h5.parts/slice-2-of-3/notes.txt", "");
  std::filesystem::create_directory_symlink(outside, parts / "slice-3-of-3");
  for (const char* file : {"campaign.json", "study.toml", "next-look.json", "a.job.json", "00000000000000a0.ckpt"}) {
    write(std::string("out.h5.parts/") + file, "");
  }
  remove_shards(parts);
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(parts)) left.insert(entry.path().filename().string());
  EXPECT_EQ(left, (std::set<std::string>{"mine", "slice-2-of-3", "slice-3-of-3"}));
  EXPECT_TRUE(std::filesystem::exists(parts / "mine/lock"));
  EXPECT_TRUE(std::filesystem::exists(outside / "lock"));
  EXPECT_TRUE(std::filesystem::exists(parts / "slice-2-of-3/notes.txt"));
  EXPECT_FALSE(std::filesystem::exists(parts / "slice-2-of-3/lock"));
}

}  // namespace
}  // namespace palstudy
