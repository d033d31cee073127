// SPDX-License-Identifier: MIT
#include "cli/slurm_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

class WrittenSlurmFiles : public Scratch {
 protected:
  [[nodiscard]] std::set<std::string> names(const fs::path& folder) const {
    std::set<std::string> found;
    if (fs::exists(folder)) {
      for (const auto& entry : fs::directory_iterator(folder)) found.insert(entry.path().filename().string());
    }
    return found;
  }
  static std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  const SlurmAdvice advice{{{"n1", 1}, {"n2", 9}}, {{"n2", "A", 1.3}}, "NodeName=n[1-2] Gres=gpu:4\n", "slurm.conf"};
};

// The folder is made, every file holds its text, and only scripts can be executed.
TEST_F(WrittenSlurmFiles, AreWhole) {
  const fs::path folder = dir / "a" / "b";
  const auto paths = write_slurm_files(advice, folder);
  EXPECT_EQ(names(folder), (std::set<std::string>{"drain.sh", "nodes.conf", "users.txt", "weights.sh"}));
  const auto files = slurm_files(advice);
  ASSERT_EQ(paths.size(), files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(paths[i], folder / files[i].name);
    EXPECT_EQ(content(paths[i]), files[i].text);
    const bool executable = (fs::status(paths[i]).permissions() & fs::perms::owner_exec) != fs::perms::none;
    EXPECT_EQ(executable, files[i].script) << files[i].name;
  }
}

// An old file is neither replaced nor left beside new ones, whether or not this advice has a file of its name.
TEST_F(WrittenSlurmFiles, AreNew) {
  for (const char* old : {"weights.sh", "drain.sh", "nodes.conf", "users.txt"}) {
    const fs::path folder = dir / old / "d";
    fs::create_directories(folder);
    std::ofstream(folder / old) << "old";
    const SlurmAdvice weights_alone{advice.weights, {}, {}, {}};
    for (const SlurmAdvice& some : {advice, weights_alone}) {
      expect_parts(message_of(ErrorCode::usage, [&] { (void)write_slurm_files(some, folder); }), {old, "--slurm"});
    }
    EXPECT_EQ(names(folder), std::set<std::string>{old});
    EXPECT_EQ(content(folder / old), "old");
  }
}

// Where one of them cannot be written, none is; and advice that is refused leaves no folder.
TEST_F(WrittenSlurmFiles, AreAllOrNone) {
  fs::create_directories(dir / "d" / "users.txt.part");  // a folder in the place of the last
  (void)message_of(ErrorCode::data, [&] { (void)write_slurm_files(advice, dir / "d"); });
  EXPECT_EQ(names(dir / "d"), std::set<std::string>{"users.txt.part"});
  (void)message_of(ErrorCode::data, [&] { (void)write_slurm_files({{{"a b", 1}}, {}, {}, {}}, dir / "e"); });
  EXPECT_FALSE(fs::exists(dir / "e"));
  EXPECT_TRUE(write_slurm_files({}, dir / "e").empty());
  EXPECT_FALSE(fs::exists(dir / "e"));
  write("f", "a file");
  (void)message_of(ErrorCode::usage, [&] { (void)write_slurm_files(advice, dir / "f"); });
}

}  // namespace
}  // namespace palstudy
