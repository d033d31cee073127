// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "workload/elastic/step_time.hpp"

namespace palstudy {

/// A free GPU: where it is, and how slow it is for the class of the job that asks.
struct FreeGpu {
  std::uint32_t gpu = 0, node = 0, cabinet = 0;
  double slowdown = 1;
};

/// The locality penalty by the widest level that a job spans.
struct LevelPenalties {
  double node = 1, cabinet = 1, cluster = 1;
};

/// GPUs for a job and what they yield.
struct BestSet {
  std::vector<std::uint32_t> gpus;  ///< ascending; none: no set yields anything
  JobShape shape;
  SlowGpus slow;
  double goodput = 0;
};

/// The goodput of a job, or another worth of a set that falls in slowdown and penalty. It need not grow with GPUs.
using Worth = std::function<double(JobShape shape, const SlowGpus& slow)>;

/// The best of all sets of at most `most` free GPUs. A worth that no GPU's slowdown, no penalty and no further node
/// raises is greatest on the fastest free GPUs of some node, some cabinet or the cluster. So it asks for at most three
/// worths a free GPU. Of equal ones found there the smallest set, then the one with the lowest GPU where they differ.
[[nodiscard]] BestSet best_set(std::span<const FreeGpu> free, const LevelPenalties& penalties, SlowKind kind,
                               std::uint32_t most, const Worth& worth);

}  // namespace palstudy
