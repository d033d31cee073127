// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sim/state/partition_state.hpp"

namespace palstudy {

/// A job that waits or runs, at a boundary.
struct ElasticState {
  JobId job;
  std::uint32_t slot = RunningSet::no_slot;  ///< of the running set, if it runs
  double work = 0;                           ///< iterations done, at its initial batch
  std::uint32_t epoch = 0;                   ///< that it is in
  std::uint32_t gpus = 0;                    ///< that it holds
  std::uint32_t nodes = 0;                   ///< on which they are
  bool starts = false;                       ///< it holds GPUs, and its restart is under way

  [[nodiscard]] bool runs() const { return slot != RunningSet::no_slot; }
};

/// All jobs of a partition that wait or run, by ascending job.
[[nodiscard]] std::vector<ElasticState> elastic_states(PartitionState& state, double now_s);

/// GPUs of a partition that its jobs hold or could have.
[[nodiscard]] std::uint32_t usable_gpus(const PartitionState& state);

}  // namespace palstudy
