// SPDX-License-Identifier: MIT
#include "sim/state/partition_record.hpp"

namespace palstudy {

void serialize(Fields& f, JobRows& rows) {
  f(rows.job), f(rows.partition), f(rows.start_s), f(rows.finish_s), f(rows.exec_s), f(rows.finished), f(rows.measured);
  f(rows.late);
  f(rows.attempts), f(rows.slowdown_mean), f(rows.penalty_mean), f(rows.preemptions), f(rows.migrations);
  f(rows.status);
}

void serialize(Fields& f, FailureRows& rows) {
  f(rows.job), f(rows.attempt), f(rows.reason), f(rows.gpus), f(rows.node), f(rows.gpu), f(rows.time_s), f(rows.run_s);
  f(rows.lost_s);
}

void serialize(Fields& f, SolveRows& rows) {
  f(rows.time_s), f(rows.partition), f(rows.objective), f(rows.jobs), f(rows.groups), f(rows.primal), f(rows.dual);
  f(rows.iterations);
}

void PartitionRecord::serialize(Fields& f) {
  f(events.time_s), f(events.kind), f(events.job), f(events.gpu_begin), f(events.gpu_count), f(events.gpus);
  f(rounds.time_s), f(rounds.queued), f(rounds.running), f(rounds.free_gpus), f(rounds.demand_gpus);
  palstudy::serialize(f, failures);
  f(node_busy_s), f(allocated_s), f(busy_s), f(effective_s), f(queue_moment), f(job_s);
  f(power.state), f(power.cls), f(power.node_s), f(power.gpu_s), f(power.work_s), f(power.energy_j);
  palstudy::serialize(f, solves);
  f(energy_job), f(job_energy_j), f(power_wait_job), f(power_wait_s);
  f(counts.boundaries), f(counts.placements), f(counts.index_queries), f(counts.index_updates), f(counts.index_moves);
}

}  // namespace palstudy
