// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/result.hpp"
#include "sim/state/fields.hpp"

namespace palstudy {

/// The result of one partition beside the rows of its jobs; jobs on several partitions have one of their own, without
/// nodes. Sums of GPU-seconds are those up to the makespan, or to the end of the run; those of nodes are not cut at the
/// makespan. (More than 15 members: a table or a sum each.)
struct PartitionRecord {
  EventRows events;
  RoundRows rounds;
  FailureRows failures;
  std::vector<double> node_busy_s;  ///< by node of the partition: GPU-seconds allocated
  double allocated_s = 0, busy_s = 0, effective_s = 0;
  double queue_moment = 0;  ///< of the queue length about the middle of the measured window
  double job_s = 0;         ///< area under the number of jobs in the partition, queued or running, up to the end
  EngineCounts counts;
  DelayRows delays;                  ///< none without tenants
  PowerRows power;                   ///< none where energy is not accounted
  SolveRows solves;                  ///< none where the scheduler solves no linear program
  std::vector<JobId> energy_job;     ///< ascending: jobs that ran here
  std::vector<double> job_energy_j;  ///< theirs

  std::vector<JobId> power_wait_job;  ///< ascending: jobs that waited here for nodes to be powered on
  std::vector<double> power_wait_s;   ///< theirs

  /// All but the delays and, until the run ends, the solutions, which stay with the scheduler's state.
  void serialize(Fields& f);
};

void serialize(Fields& f, FailureRows& rows);
void serialize(Fields& f, JobRows& rows);
void serialize(Fields& f, SolveRows& rows);

}  // namespace palstudy
