// SPDX-License-Identifier: MIT
#include "archive/damage_check.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <new>

namespace palstudy::test {
namespace {

const std::filesystem::path file = "results/a.h5";

// What a check finds comes whole, texts longer than a pipe holds at once among them.
TEST(ChildProcess, FindingsArrive) {
  const Findings many(300, std::string(1000, 'x') + "\nsecond line");
  EXPECT_EQ(found_by_child(file, [&] { return many; }), many);
  EXPECT_EQ(found_by_child(file, [] { return Findings(); }), Findings());
}

// A crash, an early end and a length that no memory can hold are one finding each; what is no archive stays that.
TEST(ChildProcess, ACrashIsAFinding) {
  const auto crash = found_by_child(file, []() -> Findings {
    (void)std::signal(SIGSEGV, SIG_DFL);
    (void)std::raise(SIGSEGV);
    return {};
  });
  ASSERT_EQ(crash.size(), 1U);
  EXPECT_NE(crash[0].find("results/a.h5"), std::string::npos) << crash[0];
  EXPECT_NE(crash[0].find("Segmentation fault"), std::string::npos) << crash[0];
  EXPECT_EQ(found_by_child(file, []() -> Findings { ::_exit(0); }).size(), 1U);
  EXPECT_EQ(found_by_child(file, []() -> Findings { throw std::bad_alloc(); }).size(), 1U);
  try {
    (void)found_by_child(file, []() -> Findings { throw NotAnArchive("not an HDF5 file", "a.h5", "Give another."); });
    ADD_FAILURE() << "not refused";
  } catch (const NotAnArchive& error) {
    EXPECT_STREQ(error.what(), NotAnArchive("not an HDF5 file", "a.h5", "Give another.").what());
  }
}

// A check without end is ended after five seconds of processor time and a file of a few bytes.
TEST(ChildProcess, ACheckWithoutEndIsAFinding) {
  const auto found = found_by_child("endless.h5", []() -> Findings {
    for (volatile int turns = 0;;) turns = turns ^ 1;
  });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("stalls the HDF5 library"), std::string::npos) << found[0];
}

// What the check does to memory stays in the child.
TEST(ChildProcess, NothingElseComesBack) {
  int counted = 0;
  (void)found_by_child(file, [&] {
    ++counted;
    return Findings();
  });
  EXPECT_EQ(counted, 0);
}

}  // namespace
}  // namespace palstudy::test
