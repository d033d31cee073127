// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/result.hpp"

namespace palstudy {

/// The result of one partition beside the rows of its jobs; jobs on several partitions have one of their own, without
/// nodes. Sums of GPU-seconds are those up to the makespan, or to the end of the run; those of nodes are not cut at the
/// makespan.
struct PartitionRecord : RunTables {
  std::vector<double> node_busy_s;  ///< by node of the partition: GPU-seconds allocated
  double allocated_s = 0, busy_s = 0, effective_s = 0;
  double queue_moment = 0;  ///< of the queue length about the middle of the measured window
  double job_s = 0;         ///< area under the number of jobs in the partition, queued or running, up to the end
  EngineCounts counts;
  std::vector<JobId> energy_job;     ///< ascending: jobs that ran here
  std::vector<double> job_energy_j;  ///< theirs

  std::vector<JobId> power_wait_job;  ///< ascending: jobs that waited here for nodes to be powered on
  std::vector<double> power_wait_s;   ///< theirs

  void serialize(auto& archive, unsigned /*version*/) {
    each([&](auto rows) { (archive & this->*rows); });
    (archive & node_busy_s & allocated_s & busy_s & effective_s & queue_moment & job_s & counts);
    (archive & energy_job & job_energy_j & power_wait_job & power_wait_s);
  }
};

}  // namespace palstudy
