// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "study/study.hpp"

namespace palstudy {

/// What a run will probably cost; rough, from the number of its jobs and GPUs.
struct RunEstimate {
  double core_s = 0;
  double memory_mib = 0;
  double disk_mib = 0;        ///< of its rows in a shard, before HDF5 compresses them
  double least_disk_mib = 0;  ///< what its rows take at least
};
[[nodiscard]] RunEstimate estimate(const RunPlan& run, const Inputs::Loaded& inputs);

/// Refuses a campaign that would certainly fill the disk, before anything is written. `disk_mib` is the sum of
/// what the runs take at least.
/// Errors (data): less is free beside `output`, or the process may not write files that large.
void check_room(const std::filesystem::path& output, double disk_mib);

}  // namespace palstudy
