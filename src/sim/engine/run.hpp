// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "sim/engine/rank_partitions.hpp"
#include "sim/engine/wide_jobs.hpp"
#include "sim/output/run_result.hpp"
#include "sim/state/checkpoints.hpp"
#include "sim/state/effect.hpp"
#include "sim/state/exchange.hpp"
#include "sim/state/world.hpp"

namespace palstudy {

/// One run on one rank, from instant to instant at which anything can change. (More than 25 functions: one for each
/// step of an instant, and those that find the next one; more than 15 members: what the steps hand on.)
class Run {
 public:
  /// `owner`: whose the partitions are, by partition. `checkpoints` may be missing.
  Run(const World& world, const Policies& policies, Exchange& exchange, std::vector<int> owner,
      Checkpoints* checkpoints = nullptr);

  /// Goes through one instant. False once the run has ended.
  bool step();
  /// Ends the record; collective. The whole result on rank 0.
  RunResult take_result();

  /// What the ranks agreed on at this instant.
  [[nodiscard]] CheckpointRequest request() const { return request_; }
  /// The state between two instants; collective. The whole on rank 0, this rank's partitions elsewhere.
  [[nodiscard]] RunState state();
  /// Goes on from a state, which has at least the partitions of this rank, instead of from the beginning.
  void restore(RunState state);

  [[nodiscard]] std::uint64_t instants() const { return instants_; }
  [[nodiscard]] const std::vector<int>& owner() const { return parts_.owner(); }
  /// Seconds of wall time that each partition has cost so far; of this rank's partitions, 0 for others. Enters nothing
  /// but the dealing of partitions to ranks.
  [[nodiscard]] const std::vector<double>& cost_s() const { return parts_.cost_s(); }

 private:
  [[nodiscard]] bool between_boundaries() const;
  [[nodiscard]] bool advance();
  [[nodiscard]] bool nodes_alone() const;
  [[nodiscard]] bool stands_still();
  void complete();
  void exchange_summaries();
  void admit_arrivals();
  void route(JobId job);
  /// Whether waiting jobs may move to other partitions.
  [[nodiscard]] bool balances() const {
    return !single() && world_.routing.max_moves > 0 && !policies_.routing->fixes_partitions();
  }
  void balance_queues();
  void schedule();
  [[nodiscard]] bool ended() const;
  [[nodiscard]] StepReport report() const;
  [[nodiscard]] std::int64_t flags() const;
  [[nodiscard]] std::int64_t measured_left() const;
  [[nodiscard]] double next_instant();
  [[nodiscard]] double own_next(bool events_alone);
  [[nodiscard]] double next_balancing_s() const;
  [[nodiscard]] double next_arrival_s() const;
  [[nodiscard]] double instant_of(double time_s) const;
  [[nodiscard]] double give_up_s() const { return world_.engine.rounds().start_s(world_.measure.end_s); }
  [[nodiscard]] bool single() const { return parts_.single(); }
  [[nodiscard]] RunState own_state();
  [[nodiscard]] std::vector<std::vector<JobId>> jobs_by_partition() const;
  [[nodiscard]] std::vector<JobId> own_jobs() const;
  template <class Archive>
  void serialize_shared(Archive& archive);
  template <class Archive>
  void serialize_partition(Archive& archive, Partition& part, const std::vector<JobId>& jobs);
  void check_invariants() const;

  const World& world_;
  const EffectTraits effects_ = traits_of_effects(world_);
  const Policies& policies_;
  Exchange& exchange_;
  Checkpoints* checkpoints_;
  RunRows rows_;
  JobStates states_;
  Summaries summaries_;
  RankPartitions parts_;
  std::unique_ptr<WideJobs> wide_;  // none if no job is wider than every partition
  CheckpointRequest request_ = CheckpointRequest::none;
  double now_s_ = 0;
  std::size_t next_job_ = 0;
  std::uint64_t instants_ = 0;
  std::uint64_t demand_gpus_ = 0;  // of the cluster
  bool levelled_in_vain_ = false;  // queues at this boundary: no job moved
};

}  // namespace palstudy
