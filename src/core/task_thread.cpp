// SPDX-License-Identifier: MIT
#include "core/task_thread.hpp"

namespace palstudy {

TaskThread::~TaskThread() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void TaskThread::give(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = std::move(task);
  }
  if (thread_.joinable()) return changed_.notify_one();
  thread_ = std::thread([this] { work(); });
}

void TaskThread::work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return task_ || ends_; });
    if (!task_) return;
    const std::function<void()> task = std::exchange(task_, nullptr);
    lock.unlock();
    task();  // a packaged task: it throws nothing
  }
}

}  // namespace palstudy
