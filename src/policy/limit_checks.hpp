// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "core/numbers.hpp"

namespace palstudy {

/// When a scheduler sees that a job has outlived its limit: at once; or as Slurm 22.05, which looks every `period_s`
/// from `phase_s` on, and counts limits in whole minutes from the second of the start (tests/golden/runs/slurm,
/// walltime).
struct LimitChecks {
  double period_s = 0;  ///< 0: at once
  double phase_s = 0;

  /// When a job is killed that started then and may run for so long.
  [[nodiscard]] double killed_s(double start_s, double length_s) const {
    if (period_s == 0) return start_s + length_s;
    const double end_s = std::floor(start_s) + minute_s * std::ceil(length_s / minute_s);
    return phase_s + period_s * std::fmax(0, std::ceil((end_s - phase_s) / period_s));
  }
};

}  // namespace palstudy
