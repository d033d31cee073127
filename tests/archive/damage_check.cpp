// SPDX-License-Identifier: MIT
#include "archive/damage_check.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <new>

#include "archive/archive_runs.hpp"
#include "archive/damage_chunk.hpp"
#include "archive/write_records.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "record/digest.hpp"

namespace palstudy::test {
namespace {

const std::filesystem::path file = "results/a.h5";

template <class... Facts>
Found of(const Facts&... facts) {
  return {{facts, "", ""}...};
}

// What a check finds comes whole, texts longer than a pipe holds at once among them.
TEST(ChildProcess, FindingsArrive) {
  const Found many(300, {std::string(1000, 'x') + "\nsecond line", std::string("a\0b", 3), "do \xff"});
  EXPECT_EQ(found_by_child(file, [&] { return many; }), many);
  EXPECT_EQ(found_by_child(file, [] { return Found(); }), Found());
}

// A crash, an early end and a length that no memory can hold are one finding each; what is no archive stays that.
TEST(ChildProcess, ACrashIsAFinding) {
  const auto crash = found_by_child(file, []() -> Found {
    (void)std::signal(SIGSEGV, SIG_DFL);
    (void)std::raise(SIGSEGV);
    return {};
  });
  const auto told = [](const std::string& how) {
    return Found{{"reading it crashes or stalls the HDF5 library (" + how + "): the file is damaged", "results/a.h5",
                  "restore it from a copy"}};
  };
  EXPECT_EQ(crash, told("Segmentation fault"));
  EXPECT_EQ(found_by_child(file, []() -> Found { ::_exit(0); }), told("it ended early"));
  EXPECT_EQ(found_by_child(file, []() -> Found { throw std::bad_alloc(); }), of(std::bad_alloc().what()));
  try {
    (void)found_by_child(file, []() -> Found { throw NotAnArchive("not an HDF5 file", "a.h5", "Give another."); });
    ADD_FAILURE() << "not refused";
  } catch (const NotAnArchive& error) {
    EXPECT_EQ(error.parts(), (ErrorParts{"not an HDF5 file", "a.h5", "Give another."}));
  }
}

// A check without end is ended after five seconds of processor time and a file of a few bytes.
TEST(ChildProcess, ACheckWithoutEndIsAFinding) {
  const auto found = found_by_child("endless.h5", []() -> Found {
    for (volatile int turns = 0;;) turns = turns ^ 1;
  });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].what.find("stalls the HDF5 library"), std::string::npos) << found[0].what;
}

// The child may take 5 s of processor time, and 10 s more for each whole MiB of the file, so that a check of a large
// one is not ended; a second later it is killed. It leaves no core file, and what it prints is not shown.
TEST(ChildProcess, HasLimitsAndNoVoice) {
  const TempDir dir;
  const auto limits_of = [&](std::size_t bytes) {
    const auto path = dir.path() / "f.h5";
    write_file(path, std::string(bytes, 'x'));
    return found_by_child(path, [] {
      Found limits;
      for (const auto resource : {RLIMIT_CPU, RLIMIT_CORE}) {
        rlimit limit{};
        (void)::getrlimit(resource, &limit);
        limits.push_back({std::to_string(limit.rlim_cur) + " " + std::to_string(limit.rlim_max), "", ""});
      }
      return limits;
    });
  };
  EXPECT_EQ(limits_of(0), of("5 6", "0 0"));
  EXPECT_EQ(limits_of((2 << 20) - 1), of("15 16", "0 0"));
  EXPECT_EQ(limits_of(2 << 20), of("25 26", "0 0"));
  testing::internal::CaptureStderr();
  const Found found =
      found_by_child(file, [] { return of(::write(STDERR_FILENO, "noise\n", 6) == 6 ? "written" : "not written"); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(found, of("written"));
}

// What the check does to memory stays in the child.
TEST(ChildProcess, NothingElseComesBack) {
  int counted = 0;
  (void)found_by_child(file, [&] {
    ++counted;
    return Found();
  });
  EXPECT_EQ(counted, 0);
}

// Small datasets come first, so that a look at one value less than there are leaves out the largest dataset alone: what
// was hit in the one row of /study/resolved, the last by name, is seen all the same.
TEST(QuickCheck, LeavesOutTheLargestFirst) {
  const TempDir dir;
  const auto path = dir.path() / "a.h5";
  Provenance from = some_provenance();
  from.resolved_study = "seed = 1\n";
  write_archive(path, three_runs(), {}, from);
  std::uint64_t values = 0;
  {
    const hdf5::File whole = hdf5::File::open(path);
    for (const std::string& dataset : whole.datasets()) values += read_through(whole, dataset);
  }
  EXPECT_TRUE(check_quickly(path, values).whole);
  EXPECT_FALSE(check_quickly(path, values - 1).whole);
  EXPECT_EQ(check_quickly(path, values - 1).damage, std::nullopt);
  damage_chunk(path, "/study/resolved");
  EXPECT_NE(check_quickly(path, values - 1).damage, std::nullopt);
}

// The digest in the root is held against the digests and states of the runs, here of one that is done and one that
// failed, before anything else is read.
TEST(QuickCheck, HoldsTheDigestAgainstThoseOfTheRuns) {
  const TempDir dir;
  const auto path = dir.path() / "a.h5";
  const std::vector<std::int64_t> runs = {0, 1};
  const std::vector<std::string> digests = {std::string(64, '1'), std::string(64, '2')}, states = {"done", "failed"};
  const auto look = [&](RunStatus second) {
    hdf5::make_file(path, [&](hdf5::File& file) {
      write_attribute(file, "/", "schema", std::string(archive_schema_name) + " " + archive_schema_version);
      write_attribute(file, "/", "digest", archive_digest(runs, {RunStatus::done, second}, digests));
      write_dataset(file, "/runs/run", runs, {"1", "Run."});
      write_dataset(file, "/runs/status", states, {"1", "State."});
      write_dataset(file, "/runs/digest", digests, {"1", "Digest."});
      write_attribute(file, "/runs", "columns", std::vector<std::string>{"run", "status", "digest"});
    });
    return check_quickly(path, 100).damage;
  };
  EXPECT_EQ(look(RunStatus::failed), std::nullopt);
  EXPECT_EQ(look(RunStatus::done), (ErrorParts{"its digest is not that of its runs", "", ""}));
}

}  // namespace
}  // namespace palstudy::test
