// SPDX-License-Identifier: MIT
#include "core/progress_report.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

namespace palstudy {
namespace {

using Clock = std::chrono::steady_clock;

bool writes_over() { return isatty(STDERR_FILENO) == 1 && spdlog::should_log(spdlog::level::info); }

}  // namespace

struct ProgressReport::Speaker {
  explicit Speaker(std::string text)
      : what(std::move(text)), thread([this](const std::stop_token& stop) { run(stop); }) {}

  void run(const std::stop_token& stop) {
    auto next = begin + std::chrono::seconds(terminal ? 1 : 2);
    std::unique_lock lock(mutex);
    while (!ended.wait_until(lock, stop, next, [] { return false; }) && !stop.stop_requested()) {
      show();
      next = Clock::now() + (terminal ? std::chrono::milliseconds(200) : std::chrono::seconds(10));
    }
    if (shown && terminal) std::fputs("\r\033[K", stderr);
  }

  void show() {
    const std::string text = step_text(what, done, of, std::chrono::duration<double>(Clock::now() - begin).count());
    if (terminal) {
      fmt::print(stderr, "\r\033[K{}", text);
      std::fflush(stderr);
    } else {
      spdlog::info("{}", text);
    }
    shown = true;
  }

  std::string what;
  bool terminal = writes_over(), shown = false;
  Clock::time_point begin = Clock::now();
  std::atomic<std::size_t> done = 0, of = 0;
  std::mutex mutex;
  std::condition_variable_any ended;
  std::jthread thread;  // the last, so that it ends first
};

ProgressReport::ProgressReport(std::string what, bool may_take_long) {
  if (may_take_long) speaker_ = std::make_unique<Speaker>(std::move(what));
}

ProgressReport::~ProgressReport() = default;

void ProgressReport::at(std::size_t done, std::size_t of) {
  if (!speaker_) return;
  speaker_->done = done;
  speaker_->of = of;
}

std::string step_text(const std::string& what, std::size_t done, std::size_t of, double seconds) {
  const std::string share = of > 0 ? fmt::format("{} of {} done, ", done, of) : "";
  return fmt::format("{}: {}{:.0f} s", what, share, seconds);
}

}  // namespace palstudy
