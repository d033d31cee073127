// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sim/effects/failures/attempts.hpp"
#include "sim/state/running_set.hpp"
#include "sim/state/world.hpp"
#include "workload/job_table.hpp"

namespace palstudy {

/// What the partitions of a rank keep of all jobs, by JobId: a job is in one partition at a time.
struct JobStates {
  explicit JobStates(const World& world)
      : table(world.workload.jobs.size()),
        attempts(world.failures != nullptr ? world.workload.jobs.size() : 0),
        slot_of(world.workload.jobs.size(), RunningSet::no_slot),
        placement_of(world.workload.jobs.size(), 0) {
    if (world.predictor) table.predicted_gpu_s.resize(world.workload.jobs.size(), 0.0);
    if (world.elastic == nullptr) return;
    for (const Job& job : world.workload.jobs) sizes.push_back({job.gpus, 0});
  }
  /// Gives the memory back, once there are no partitions.
  void clear();
  /// The states and rows of some jobs, to or from a checkpoint.
  template <class Archive>
  void serialize(Archive& archive, const std::vector<JobId>& jobs, RunRows& rows);

  JobTable table;
  Attempts attempts;                        ///< empty where none fails
  JobSizes sizes;                           ///< empty where all jobs are rigid
  std::vector<std::uint32_t> slot_of;       ///< of a running job in its RunningSet
  std::vector<std::uint32_t> placement_of;  ///< of a job in the transaction under way: its index + 1, 0 for none
};

}  // namespace palstudy
