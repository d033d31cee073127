// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cluster/free_gpus.hpp"
#include "policy/placement_policy.hpp"
#include "policy/view.hpp"
#include "sim/state/delay_causes.hpp"
#include "sim/state/job_queue.hpp"
#include "sim/state/progress.hpp"
#include "sim/state/rate_model.hpp"
#include "sim/state/run_rows.hpp"
#include "sim/state/running_set.hpp"
#include "sim/state/solves.hpp"
#include "sim/state/world.hpp"
#include "workload/job_table.hpp"

namespace palstudy {

/// The nodes of a partition: their place in the cluster, and their own topology and bins, which count from 0.
struct PartitionResources {
  PartitionId id;
  GpuId first_gpu;
  Topology topology;
  Bins bins;
};

/// GPUs of one partition that a job holds without running on them there: its part of a job on several partitions, or
/// GPUs that are held idle until there are enough.
struct HeldPart {
  JobId job;
  GpuSet gpus;
  double since_s = 0;  ///< of a job on several partitions: at one rate
  double slowest = 0;  ///< of a job on several partitions: the largest true slowdown of all its GPUs
  void serialize(auto& archive, unsigned /*version*/) { (archive & job & gpus & since_s & slowest); }
};

/// The state that the parts of one partition share. The dispatcher alone writes the jobs' states, the queue and the
/// running set; a transaction changes the index of free GPUs. (More than 15 members: whatever two parts share.)
struct PartitionState {
  PartitionState(const World& world, PartitionResources resources, const PlacementPolicy& placement, JobTable& jobs,
                 std::vector<std::uint32_t>& slot_of, JobSizes& sizes, RunRows& rows);
  PartitionState(const PartitionState&) = delete;
  PartitionState& operator=(const PartitionState&) = delete;

  [[nodiscard]] View view(double now_s) const {
    return {now_s,
            world.engine.round_s,
            topology().gpus() - wide_gpus - off_gpus,
            world.workload.jobs,
            table,
            world.believed_penalty,
            expected_slowdown,
            topology().nodes(),
            topology().widest_node(),
            world.shares,
            world.starts};
  }
  [[nodiscard]] const Job& job(JobId id) const { return world.workload.jobs[id.index()]; }
  /// GPUs that the job holds, or wants while it waits.
  [[nodiscard]] std::uint32_t width(JobId id) const { return sizes.empty() ? job(id).gpus : sizes[id.index()].gpus; }
  /// The cost that the policies believe these GPUs to have for a job: from bins and `policy.locality`.
  [[nodiscard]] BelievedCost believed_cost(JobId id, const GpuSet& gpus) const;
  [[nodiscard]] const Topology& topology() const { return resources.topology; }
  /// Appends the ids that these GPUs of the partition have in the cluster, ascending.
  void append_cluster_ids(const GpuSet& gpus, std::vector<std::uint32_t>& ids) const;
  [[nodiscard]] Boundary boundary(double time_s) const { return world.engine.rounds().at_or_after(time_s); }
  /// Adds the GPUs that the jobs of each tenant and the parts of its gangs hold here.
  void add_tenant_use(std::span<std::int64_t> used) const;
  /// GPUs that jobs queued or running here want, parts of jobs on several partitions included.
  [[nodiscard]] std::uint64_t demand_gpus() const { return queue.demand_gpus() + wide_gpus; }

  const World& world;
  const PartitionResources resources;
  const EffectTraits effects;
  const ExpectedSlowdowns expected_slowdown;
  OwnJobs table;
  JobSizes& sizes;
  RunRows& rows;
  Progress work;  ///< how iterations are counted
  RateModel rates;
  FreeGpus free;
  RunningSet running;
  JobQueue queue;
  std::vector<HeldPart> wide_parts;  ///< of jobs on several partitions
  std::uint32_t wide_gpus = 0;       ///< in `wide_parts`
  std::uint32_t off_gpus = 0;        ///< of nodes that are not on, and cannot be at once
  std::uint32_t wide_wanted = 0;     ///< by jobs on several partitions that wait and would fit if all nodes were on
  std::vector<HeldPart> idle_parts;  ///< of waiting jobs, in the order in which they were taken
  /// By tenant: GPUs that its jobs and gangs hold in other partitions, and its jobs on several partitions everywhere,
  /// when the boundary under way began; empty where there is nothing but this partition.
  std::vector<std::uint64_t> used_elsewhere;
  std::optional<DelayCauses> causes;  ///< where causes of delay are recorded
  SolveRows solves;                   ///< of the scheduler
  const bool tracks_belief;           ///< `running.believed` is kept
  bool reserved = false;              ///< no waiting job may start
  bool free_set_changed = false;      ///< GPUs were taken or given since the last look for migrations
};

}  // namespace palstudy
