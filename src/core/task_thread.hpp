// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace palstudy {

/// A thread for one piece of work after another. Work that comes often waits less for a thread that is there than for a
/// new one: Linux puts a new thread on the processor that looks idlest and, where all are busy, behind what runs there,
/// for milliseconds. The thread starts with the first work; the end waits for the work under way.
class TaskThread {
 public:
  TaskThread() = default;
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;
  ~TaskThread();

  /// Begins `work`, whose result or exception the future holds. One at a time: the work before has to have ended.
  /// Unlike that of std::async the future does not wait for the work when it goes away.
  template <class Work>
  [[nodiscard]] auto begin(Work work) -> std::future<decltype(work())> {
    auto task = std::make_shared<std::packaged_task<decltype(work())()>>(std::move(work));
    auto ended = task->get_future();
    give([task = std::move(task)] { (*task)(); });
    return ended;
  }

 private:
  void give(std::function<void()> task);
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> task_;  // empty: none is waiting
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace palstudy
