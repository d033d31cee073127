// SPDX-License-Identifier: MIT
#include "campaign/progress_line.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/text.hpp"

namespace palstudy {
std::string progress_text(const WorkProgress& progress, std::int64_t runs, std::int64_t likely_us, int ranks,
                          double elapsed_s, const std::optional<RunProgress>& at_hand) {
  const std::int64_t ended = progress.done + progress.failed;
  const std::int64_t running = std::clamp<std::int64_t>(std::min(progress.taken, runs) - ended, 0, ranks);
  std::string text = fmt::format("{} of {} done, {} running, {} failed", progress.done,
                                 counted(static_cast<std::size_t>(runs), "run"), running, progress.failed);
  if (ended > 0 && elapsed_s > 0) {
    const auto done_us = static_cast<double>(std::max<std::int64_t>(progress.weight, 1));
    const double left_us = std::max(0.0, static_cast<double>(likely_us) - done_us);
    text += fmt::format(", {:.3g} runs/s, {} left", static_cast<double>(ended) / elapsed_s,
                        duration_text(elapsed_s * left_us / done_us));
  } else if (at_hand) {
    text += fmt::format(", {}at {:.0f} s of simulated time with {} measured jobs to finish", running > 1 ? "one " : "",
                        at_hand->time_s, at_hand->measured_left);
  }
  return text;
}

ProgressLine::ProgressLine(bool reports, std::int64_t runs, std::int64_t likely_us, int ranks)
    : reports_(reports),
      terminal_(isatty(STDERR_FILENO) == 1),
      runs_(runs),
      likely_us_(likely_us),
      ranks_(ranks),
      start_(Clock::now()),
      last_(start_) {}

ProgressLine::~ProgressLine() {
  if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
}

bool ProgressLine::due() const {
  return reports_ && Clock::now() - last_ >= (terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10));
}

void ProgressLine::show(const WorkProgress& progress, const std::optional<RunProgress>& at_hand) {
  const std::string text = progress_text(progress, runs_, likely_us_, ranks_, elapsed_s(), at_hand);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  } else {
    spdlog::info("{}", text);
  }
  shown_ = true;
  last_ = Clock::now();
}

double ProgressLine::elapsed_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

}  // namespace palstudy
