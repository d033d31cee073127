// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "parallel/work_counter.hpp"

namespace palstudy {

/// How far the run at hand is.
struct RunProgress {
  double time_s = 0;               ///< of the run
  std::int64_t measured_left = 0;  ///< measured jobs that have not finished
};

/// "12 of 48 runs done, 2 running, 0 failed, 31.2 runs/s, 2 s left". Until a run has ended, how far `at_hand` is stands
/// in the place of the last two. `likely_us`: the microseconds that all of the
/// `runs` will probably take; `progress.weight` are those of the runs that have ended. What is left is the share of the
/// sum that has not, at the pace so far, so that an estimate that is wrong alike for all runs does no harm.
[[nodiscard]] std::string progress_text(const WorkProgress& progress, std::int64_t runs, std::int64_t likely_us,
                                        int ranks, double elapsed_s, const std::optional<RunProgress>& at_hand = {});

/// Tells how far a campaign is, on standard error: on a terminal one line that is written over, at most ten times a
/// second; elsewhere a log line at most every 10 s.
class ProgressLine {
 public:
  /// `reports` is false on all ranks but one. The others: as of `progress_text`.
  ProgressLine(bool reports, std::int64_t runs, std::int64_t likely_us, int ranks);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Whether it is time for the next line; asking costs nothing.
  [[nodiscard]] bool due() const;
  void show(const WorkProgress& progress, const std::optional<RunProgress>& at_hand);
  [[nodiscard]] double elapsed_s() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool reports_, terminal_, shown_ = false;
  std::int64_t runs_, likely_us_;
  int ranks_;
  Clock::time_point start_, last_;
};

}  // namespace palstudy
