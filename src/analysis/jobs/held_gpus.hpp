// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/rounds.hpp"
#include "record/tables.hpp"

namespace palstudy {

/// Consecutive GPUs of the cluster: those of a partition, or all.
struct GpuRange {
  std::int64_t first = 0, count = 0;
  [[nodiscard]] bool contains(std::int64_t gpu) const { return gpu >= first && gpu < first + count; }
};

/// How many GPUs were free at a boundary: once those jobs had left that were over or stopped, and after others had been
/// started.
struct FreeStep {
  double time_s = 0;
  std::int64_t before = 0, after = 0;
};

/// The free GPUs of a part of the cluster at every boundary at which they changed, from time 0 on. What happens between
/// two boundaries counts at the second, where the scheduler sees it. GPUs of nodes that are down count as free.
[[nodiscard]] std::vector<FreeStep> free_steps(const RunRecord& record, const GpuRange& part, const Rounds& rounds);

/// A time in which a job held the same GPUs.
struct HeldTime {
  double from_s = 0, to_s = 0;     ///< `to_s` is NaN if it still held them at the end of the run
  std::vector<std::int64_t> gpus;  ///< ascending
};
/// What a job held, in order of time. What it held for no time is left out.
[[nodiscard]] std::vector<HeldTime> held_times(const RunRecord& record, std::int64_t job);

}  // namespace palstudy
