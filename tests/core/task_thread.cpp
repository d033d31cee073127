// SPDX-License-Identifier: MIT
#include "core/task_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>

namespace palstudy {
namespace {

// What the thread is there for: a hundred pieces of work, one thread, and never the caller's.
TEST(TaskThread, DoesAllWorkInOneThreadOfItsOwn) {
  TaskThread thread;
  std::set<std::thread::id> seen;
  int sum = 0;
  for (int i = 1; i <= 100; ++i) {
    sum += thread
               .begin([&seen, i] {
                 seen.insert(std::this_thread::get_id());
                 return i;
               })
               .get();
  }
  EXPECT_EQ(sum, 5050);
  EXPECT_EQ(seen.size(), 1U);
  EXPECT_FALSE(seen.contains(std::this_thread::get_id()));
}

// What one piece of work throws is its future's, and the next is done all the same.
TEST(TaskThread, HandsOnWhatWorkThrows) {
  TaskThread thread;
  auto failed = thread.begin([]() -> int { throw std::runtime_error("this one"); });
  EXPECT_THROW((void)failed.get(), std::runtime_error);
  EXPECT_EQ(thread.begin([] { return 7; }).get(), 7);
}

// Work may stand on what goes away behind the thread, so its end waits even where nobody looked at the future.
TEST(TaskThread, WaitsForWorkUnderWayWhenItEnds) {
  std::atomic<bool> done = false;
  {
    TaskThread thread;
    const auto unseen = thread.begin([&done] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      done = true;
    });
  }
  EXPECT_TRUE(done);
}

// A rank that works in a team gives it nothing: no thread is made, and none is waited for.
TEST(TaskThread, MayEndWithoutWork) { const TaskThread unused; }

}  // namespace
}  // namespace palstudy
