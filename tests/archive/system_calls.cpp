// SPDX-License-Identifier: MIT
// What is asked of the system when results are written, and what becomes of a refusal.
#include "archive/system_calls.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "archive/archive_runs.hpp"
#include "archive/write_archive.hpp"
#include "core/error.hpp"
#include "message_of.hpp"
#include "shard/frame_file.hpp"

namespace palstudy::test {
namespace {

SystemCalls* watching = nullptr;

}  // namespace

SystemCalls::SystemCalls() { watching = this; }
SystemCalls::~SystemCalls() { watching = nullptr; }

namespace {

// A shard's name survives a lost node only if its folder is synced, before the first frame is written.
TEST(FrameFile, ItsFolderIsSyncedWhenItIsMade) {
  const TempDir dir;
  const SystemCalls calls;
  const FrameFile file(dir.path() / "a.shard");
  EXPECT_EQ(calls.synced, std::vector{std::filesystem::canonical(dir.path()).string()});
}

// A frame is on the disk when sync() or close() returns; neither asks for what is there already, nor does a tick within
// a second of the last.
TEST(FrameFile, WhatIsAppendedIsSyncedOnce) {
  const TempDir dir;
  SystemCalls calls;
  FrameFile file(dir.path() / "a.shard");
  const auto data_syncs_after = [&](auto action) {
    action();
    return calls.data_syncs;
  };
  const std::vector<std::byte> frame(8);
  EXPECT_EQ(data_syncs_after([&] { file.append(frame), file.tick(); }), 0);
  EXPECT_EQ(data_syncs_after([&] { file.sync(); }), 1);
  EXPECT_EQ(data_syncs_after([&] { file.sync(); }), 1);
  EXPECT_EQ(data_syncs_after([&] { file.append(frame), file.close(); }), 2);
}

// HDF5 cuts an archive to its size. Where the system refuses, the file may be longer than it should be: whoever writes
// it is told why, and nothing stands in its place.
TEST(Hdf5Disk, AnArchiveThatCannotBeCutIsNotWritten) {
  const TempDir dir;
  const auto path = dir.path() / "a.h5";
  const auto write = [&] { write_archive(path, three_runs(), two_clusters(), some_provenance()); };
  SystemCalls calls;
  calls.truncate_error = EDQUOT;
  EXPECT_NE(message_of([&] { write(); }).find(std::strerror(EDQUOT)), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path));
  calls.truncate_error = 0;
  write();
  EXPECT_TRUE(std::filesystem::exists(path));
}

// A system may take a part of what is written, and interrupt the call: the file is the same in the end. Where it takes
// nothing and gives no reason, that is an error, and not tried for ever.
TEST(Hdf5Disk, WhatIsWrittenPieceByPieceIsTheSame) {
  const TempDir dir;
  const auto path = dir.path() / "a.h5";
  const auto write = [&] { write_archive(path, three_runs(), two_clusters(), some_provenance()); };
  write();
  const std::string whole = read_file(path);
  SystemCalls calls;
  calls.most_written = 1000;
  write();
  EXPECT_TRUE(read_file(path) == whole);
  EXPECT_GT(calls.writes, 100) << "interrupted every second time";
  calls.most_written = 0;
  (void)message_of(ErrorCode::data, [&] { write_archive(path, three_runs(), {}, {}); });
  EXPECT_TRUE(read_file(path) == whole) << "what was there stays";
}

}  // namespace
}  // namespace palstudy::test

extern "C" int fsync(int descriptor) {
  if (auto* calls = palstudy::test::watching) {
    calls->synced.push_back(std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor)).string());
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
extern "C" int fdatasync(int descriptor) {
  if (auto* calls = palstudy::test::watching) ++calls->data_syncs;
  return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}
extern "C" int ftruncate(int descriptor, off_t size) noexcept {
  if (const auto* calls = palstudy::test::watching; calls != nullptr && calls->truncate_error != 0) {
    errno = calls->truncate_error;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_ftruncate, descriptor, size));
}
extern "C" ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t place) {
  if (auto* calls = palstudy::test::watching; calls != nullptr && calls->most_written >= 0) {
    size = std::min(size, static_cast<std::size_t>(calls->most_written));
    if (++calls->writes % 2 == 0 && size > 0) {
      errno = EINTR;
      return -1;
    }
    if (size == 0) return 0;
  }
  return ::syscall(SYS_pwrite64, descriptor, bytes, size, place);
}
