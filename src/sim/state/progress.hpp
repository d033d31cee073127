// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/rounds.hpp"
#include "sim/state/world.hpp"

namespace palstudy {

/// How many GPUs are asked for on each GPU that there is, at least 1.
[[nodiscard]] inline double contention(double demand_gpus, double gpus) { return std::max(1.0, demand_gpus / gpus); }

/// A stretch of time in which a job runs on one set of GPUs at one rate. Read at any instant, written at none but its
/// start.
struct Segment {
  double from_s = 0;                 ///< when work begins: the launch, plus the cost of a migration
  double work = 0;                   ///< iterations done before it
  double seconds_per_iteration = 0;  ///< (slowdown x penalty) x iteration_s, multiplied in that order
};

/// When work begins on GPUs that a job gets at `now_s`. A first launch costs no migration.
[[nodiscard]] inline double work_begins_s(const EngineOptions& engine, bool launched_before, double now_s) {
  return launched_before ? now_s + engine.migration_s : now_s;
}

/// What a loop `while (taken < limit && x < target) { x += increment; ++taken; }` leaves, bit for bit, in time that
/// grows with the number of binades x passes through and not with the number of steps. `increment` > 0.
struct RepeatedSum {
  double value;        ///< x after the steps
  std::int64_t taken;  ///< how many; `never` if x stops growing short of the target and the limit is `never`
};

/// The published simulator credits a job once per round, in double; a product in place of the sum differs in the last
/// bits and could move a completion by a round. Within one binade, though, every addition of the same number moves x by
/// the same multiple of its last place (after two equal steps, which also settles ties to even), so whole runs of
/// additions can be made at once and exactly.
[[nodiscard]] RepeatedSum add_repeatedly(double x, double increment, std::int64_t limit, double target);

/// How progress is counted: `engine.completion` and `engine.round_s`.
///
/// `exact`: iterations grow linearly. `round`, as published (PAL's artifact): at each boundary the job is credited
/// round_s / ((slowdown x penalty) x iteration_s) iterations, in double, added one by one, and is finished at the first
/// boundary at which they reach the total; a part of a round before the first boundary is credited there.
class Progress {
 public:
  Progress(Completion completion, double round_s) : completion_(completion), rounds_(round_s) {}

  /// Iterations done at `time_s`, not before the segment's launch.
  [[nodiscard]] double work_at(const Segment& segment, double time_s) const;
  /// When `total` iterations are reached; infinity if never.
  [[nodiscard]] double finish_s(const Segment& segment, double total) const;

 private:
  Completion completion_;
  Rounds rounds_;
};

}  // namespace palstudy
