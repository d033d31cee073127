// SPDX-License-Identifier: MIT
#include "shard/frame_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "core/error.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

const std::vector<std::byte> ten_bytes(10, std::byte{'f'});

/// The descriptor that the next file to be opened gets.
int next_descriptor() {
  const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::close(descriptor);
  return descriptor;
}

/// The message of a refusal, which is of bad data; "" without one.
std::string said_by(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code() == ErrorCode::data ? error.what() : "of another code";
  }
  return "";
}

bool has_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (text.find(word) == std::string::npos) return false;
  }
  return true;
}

/// The exit code of `work` in a process of its own.
int exit_code_of(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

// A campaign of many starts opens many shards: each gives its descriptor back, whether it is closed or only goes. What
// is closed takes no more, and may be closed again.
TEST(FrameFile, GivesItsDescriptorBack) {
  const test::TempDir dir;
  const int before = next_descriptor();
  { FrameFile(dir.path() / "a.shard").append(ten_bytes); }
  EXPECT_EQ(next_descriptor(), before);
  FrameFile file(dir.path() / "b.shard");
  file.append(ten_bytes);
  file.sync();
  file.close();
  file.close();
  EXPECT_EQ(next_descriptor(), before);
  const std::string said = said_by([&] { file.append(ten_bytes); });
  EXPECT_TRUE(has_words(said, {"shard takes no more frames", "b.shard", "resume: an earlier write failed"})) << said;
  EXPECT_EQ(std::filesystem::file_size(dir.path() / "b.shard"), 10u);
}

// Why a shard cannot be made: its name is taken, or its folder is not there.
TEST(FrameFile, SaysWhyItCannotBeMade) {
  const test::TempDir dir;
  const auto path = dir.path() / "a.shard";
  { FrameFile(path).append(ten_bytes); }
  const std::string taken = said_by([&] { FrameFile again(path); });
  EXPECT_TRUE(has_words(taken, {"shard cannot be created: File exists", "a.shard", "check that its folder"})) << taken;
  const std::string nowhere = said_by([&] { FrameFile lost(dir.path() / "none" / "a.shard"); });
  EXPECT_TRUE(has_words(nowhere, {"shard cannot be created: No such file", "none"})) << nowhere;
}

// A program that is started without standard input gets 0 for its first descriptor, which is as good as any other.
TEST(FrameFile, MayHaveTheFirstDescriptor) {
  const test::TempDir dir;
  const auto path = dir.path() / "a.shard";
  EXPECT_EQ(exit_code_of([&] {
              ::close(STDIN_FILENO);
              const std::string said = said_by([&] {
                FrameFile file(path);
                file.append(ten_bytes);
                file.append(ten_bytes);
                file.close();
              });
              return said.empty() && next_descriptor() == 0 ? 0 : 1;
            }),
            0);
  EXPECT_EQ(std::filesystem::file_size(path), 20u);
}

// Where a file may not grow on, the reason and what to do are said; and that nothing more is taken then, whatever there
// were room for.
TEST(FrameFile, SaysWhyItCannotBeWritten) {
  const test::TempDir dir;
  EXPECT_EQ(exit_code_of([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{15, 15};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
              FrameFile file(dir.path() / "a.shard");
              file.append(ten_bytes);
              const std::string why = said_by([&] { file.append(ten_bytes); });
              if (!has_words(why, {"cannot be written: File too large", "a.shard", "remove the cause and resume"})) {
                return 2;
              }
              return has_words(said_by([&] { file.append({}); }), {"takes no more frames"}) ? 0 : 3;
            }),
            0);
  EXPECT_EQ(std::filesystem::file_size(dir.path() / "a.shard"), 15u);
}

}  // namespace
}  // namespace palstudy
