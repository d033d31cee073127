// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

namespace palstudy {

/// Reports the progress of a long step on standard error, and nothing for a short one: on a
/// terminal one line that is written over, elsewhere a log line after two seconds and then every ten. A thread of its
/// own prints, so the caller need not report at intervals.
class ProgressReport {
 public:
  /// `what` such as "drawing the slowdowns of 16777216 GPUs". Without `may_take_long` it does nothing.
  explicit ProgressReport(std::string what, bool may_take_long = true);
  ~ProgressReport();
  ProgressReport(const ProgressReport&) = delete;
  ProgressReport& operator=(const ProgressReport&) = delete;
  /// `done` of `of` are done; costs next to nothing.
  void at(std::size_t done, std::size_t of);

 private:
  struct Speaker;
  std::unique_ptr<Speaker> speaker_;
};

/// "drawing: 12 of 40 done, 3 s"; without a number of things "drawing: 3 s".
[[nodiscard]] std::string step_text(const std::string& what, std::size_t done, std::size_t of, double seconds);

}  // namespace palstudy
