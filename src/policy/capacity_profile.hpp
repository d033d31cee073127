// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/rounds.hpp"

namespace palstudy {

/// The GPUs that are free from now on, as far as it is planned: steps in time. All intervals are half-open, so that a
/// job may start in the second in which another ends.
class CapacityProfile {
 public:
  /// So many GPUs are free from `now_s` on.
  CapacityProfile(double now_s, std::int64_t free) : steps_{{now_s, free}} {}

  /// More GPUs, or fewer, from `from_s` until `to_s`, which may be infinite.
  void add(double from_s, double to_s, std::int64_t gpus);
  /// The earliest start, at a time at which jobs may start, of a job that holds so many GPUs for so long; infinity if
  /// they never become free.
  [[nodiscard]] double earliest(std::int64_t gpus, double length_s, const Rounds& rounds) const;
  [[nodiscard]] std::int64_t free_at(double time_s) const;

 private:
  struct Step {
    double from_s;
    std::int64_t free;  // until the next step
  };
  /// The step that begins at `time_s`, which is made where there is none; of a time before the first step, that one.
  std::size_t step_at(double time_s);
  [[nodiscard]] std::size_t step_around(double time_s) const;

  std::vector<Step> steps_;  // ascending
};

}  // namespace palstudy
