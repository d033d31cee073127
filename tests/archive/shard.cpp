// SPDX-License-Identifier: MIT
#include "archive/shard.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "small_run.hpp"

namespace palstudy {
namespace {

RunRecord numbered(std::int64_t run, bool failed = false) {
  test::SmallRun small;
  small.label.run = run;
  small.label.id = "run-" + std::to_string(run);
  return failed ? make_failed_record(small.label, "why") : small.record();
}

std::vector<std::int64_t> runs_of(const std::vector<RunRecord>& records) {
  std::vector<std::int64_t> runs;
  for (const auto& record : records) runs.push_back(record.run);
  return runs;
}

TEST(Shard, PartsLieBesideTheArchive) { EXPECT_EQ(parts_dir("out/a.h5"), "out/a.h5.parts"); }

// What teams append in any order is read back by run; a run that two shards hold counts once.
TEST(Shard, WhatIsAppendedIsReadBackByRun) {
  const test::TempDir dir;
  ShardWriter one(dir.path(), "20240101T000000", 0), two(dir.path(), "20240101T000000", 1);
  EXPECT_EQ(one.path().filename(), "20240101T000000-0.shard");
  one.append(numbered(5));
  two.append(numbered(1));
  one.append(numbered(0));
  two.append(numbered(5));
  one.close();
  two.close();
  std::vector<std::string> problems;
  EXPECT_EQ(runs_of(read_shards(dir.path(), problems)), (std::vector<std::int64_t>{0, 1, 5}));
  EXPECT_TRUE(problems.empty());
}

// The file holds the frames and nothing else, in the order of appending, before the writer is closed: a killed process
// loses none.
TEST(Shard, AFrameIsInTheFileWhenAppendReturns) {
  const test::TempDir dir;
  ShardWriter writer(dir.path(), "s", 3);
  std::vector<std::byte> wanted;
  for (const std::int64_t run : {4, 2}) {
    writer.append(numbered(run));
    const auto frame = encode_frame(numbered(run));
    wanted.insert(wanted.end(), frame.begin(), frame.end());
    std::ifstream file(writer.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    ASSERT_EQ(bytes.size(), wanted.size());
    EXPECT_EQ(bytes.compare(0, bytes.size(), reinterpret_cast<const char*>(wanted.data()), wanted.size()), 0);
  }
}

// A run that failed and was tried again counts as done, whichever shard is read first.
TEST(Shard, ADoneRunStandsAboveAFailedOne) {
  const test::TempDir dir;
  ShardWriter(dir.path(), "a", 0).append(numbered(1, true));
  ShardWriter(dir.path(), "b", 0).append(numbered(1));
  ShardWriter(dir.path(), "c", 0).append(numbered(1, true));
  std::vector<std::string> problems;
  const auto records = read_shards(dir.path(), problems);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, RunStatus::done);
}

// Nothing there is nothing finished: no folder, no shard, other files.
TEST(Shard, NothingThereIsNoRecord) {
  const test::TempDir dir;
  std::vector<std::string> problems;
  EXPECT_TRUE(read_shards(dir.path() / "none", problems).empty());
  std::ofstream(dir.path() / "lock") << "host x, pid 1\n";
  EXPECT_TRUE(read_shards(dir.path(), problems).empty());
  EXPECT_TRUE(problems.empty());
}

// A shard is appended to by none but its creator: a name that exists is refused, and the file stays as it was.
TEST(Shard, AnExistingShardIsRefused) {
  const test::TempDir dir;
  ShardWriter(dir.path(), "s", 0).append(numbered(1));
  EXPECT_THROW(ShardWriter(dir.path(), "s", 0), Error);
  std::vector<std::string> problems;
  EXPECT_EQ(read_shards(dir.path(), problems).size(), 1U);
}

TEST(Shard, ATailThatWasCutOffIsToldAndIgnored) {
  const test::TempDir dir;
  ShardWriter writer(dir.path(), "s", 0);
  writer.append(numbered(1));
  writer.append(numbered(2));
  writer.close();
  std::filesystem::resize_file(writer.path(), std::filesystem::file_size(writer.path()) - 1);
  std::vector<std::string> problems;
  EXPECT_EQ(runs_of(read_shards(dir.path(), problems)), (std::vector<std::int64_t>{1}));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("s-0.shard"), std::string::npos) << problems[0];
}

/// In a process of its own, since the limit cannot be raised again: files may grow to two frames and a half. Exits with
/// the number of the first expectation that does not hold.
[[noreturn]] void write_against_a_limit(const std::filesystem::path& dir) {
  const auto frame = static_cast<rlim_t>(encode_frame(numbered(0)).size());
  const rlimit limit{frame * 5 / 2, frame * 5 / 2};
  std::signal(SIGXFSZ, SIG_IGN);
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(1);
  ShardWriter writer(dir, "s", 0);
  writer.append(numbered(0));
  writer.append(numbered(1));
  for (int attempt = 2; attempt < 4; ++attempt) {  // the first is cut short, the next may not be written after it
    try {
      writer.append(numbered(attempt));
      ::_exit(attempt);
    } catch (const Error& error) {
      const std::string what = error.what();
      if (error.code() != ErrorCode::data || what.find("s-0.shard") == std::string::npos) ::_exit(10 + attempt);
    }
  }
  ::_exit(0);
}

// A disk that fills up in the middle of a frame: data error that names the shard; frames before it stay whole; the
// writer takes no more, because what follows a broken frame is never read.
TEST(Shard, AShortWriteIsADataErrorAndLeavesEarlierFramesWhole) {
  const test::TempDir dir;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) write_against_a_limit(dir.path());
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  std::vector<std::string> problems;
  EXPECT_EQ(runs_of(read_shards(dir.path(), problems)), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(problems.size(), 1U);
}

}  // namespace
}  // namespace palstudy
