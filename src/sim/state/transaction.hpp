// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policy/placement_policy.hpp"
#include "sim/state/delays.hpp"
#include "sim/state/partition_state.hpp"

namespace palstudy {

/// Why a running job loses its GPUs.
enum class StopReason : std::uint8_t {
  order,      ///< for a job before it
  reclaimed,  ///< for a job of a tenant within quota, without notice
};

/// The GPUs that a placement may use: those of some nodes, and of some bins of the job's class.
struct Confinement {
  std::span<const NodeId> nodes{};  ///< ascending; empty: all
  std::uint32_t first_bin = 0, last_bin = UINT32_MAX;
};

/// A job that waits or runs, with the fields that a repacking reads: side by side, since the jobs of one moment lie far
/// apart among all jobs of a run.
struct ActiveJob {
  JobId job;
  std::uint32_t gpus;
  ClassId cls;
  std::uint32_t slot;           ///< RunningSet::no_slot if it waits
  std::uint32_t placement = 0;  ///< index into `Transaction::placements` + 1, 0 for none
};

/// GPUs that a job gets when the transaction is committed.
struct Placement {
  JobId job;
  bool weighed = false;                      ///< the following are known
  bool stays = false;                        ///< the job holds these GPUs already
  std::uint32_t slot = RunningSet::no_slot;  ///< of the job, if it runs; after a repacking
  SlowdownAndPenalty factors;                ///< if it does not stay
  std::uint32_t batch = 0;                   ///< of an elastic job
  GpuSet gpus;
};

/// The decisions of one boundary, on paper: they change the index of free GPUs and no job, until the dispatcher commits
/// them. A job placed that runs moves; a running job released and not placed again stops. (More than 25 functions:
/// those for schedulers and those for the dispatcher.)
class Transaction {
 public:
  /// `placement_of`: a cell a job, all 0, shared by the partitions of a rank.
  Transaction(PartitionState& state, PlacementPolicy& placement, std::vector<std::uint32_t>& placement_of)
      : state_(state), policy_(placement), placement_of_(placement_of) {}

  /// Empties it for the boundary at `now_s`.
  void begin(double now_s) {
    now_s_ = now_s;
    repacks_ = false;
    count_ = 0;
    released_.clear();
    ended_holds_.clear();
  }

  /// Places a job by the placement policy. False if it does not fit.
  bool place(JobId job);
  bool place(JobId job, const Confinement& confinement);
  /// The same for an elastic job, with another number of GPUs or batch size than it has.
  bool place(JobId job, JobSize size, const Confinement& confinement = {});
  /// What `place` would give a job of what is free, by itself, until the next question; null: it does not fit.
  [[nodiscard]] const GpuSet* would_get(JobId job);
  /// As `PlacementPolicy::demand`.
  [[nodiscard]] NodeDemand demand(JobId job) const {
    return policy_.demand(request(job), state_.topology().widest_node());
  }
  [[nodiscard]] bool fits(JobId job);
  /// Gives a job GPUs of the scheduler's own choice, which are free or the job's own; an elastic job any number of
  /// them.
  void take(JobId job, const GpuSet& gpus);
  void take(JobId job, const GpuSet& gpus, std::uint32_t batch);
  /// Asks the placement policy for GPUs as if those of the running job in `slot` were free as well; the job moves there
  /// if `accept(gpus)`.
  template <class Accept>
  bool move_if(std::uint32_t slot, Accept accept) {
    Placement& next = next_placement(state_.running.job[slot]);
    give(state_.running.allocation[slot].gpus);
    mask_beyond_queue(next.job);
    const bool accepted = choose(request(next.job), next.gpus) && accept(next.gpus);
    unmask(excluded_);
    take_free(accepted ? next.gpus : state_.running.allocation[slot].gpus);
    if (accepted) placement_of_[next.job.index()] = static_cast<std::uint32_t>(++count_);
    return accepted;
  }
  /// Frees the GPUs of a running job. It stops unless it is placed again.
  void release(JobId job, StopReason reason);

  /// Places all jobs again: `find_active` lists them by ascending id, `repack` takes their GPUs; those not placed again
  /// stop. Running jobs that are `staying`, by ascending id, and those on nodes that drain have their places already.
  void find_active();
  void repack(std::span<const JobId> staying = {});
  /// Places one of `active`.
  bool place_active(ActiveJob& job);
  /// Says that the placements to come are of jobs of this class.
  void begin_class(ClassId cls) { state_.free.begin_class(cls); }

  /// Takes up to `gpus` GPUs for a waiting job, which holds them idle.
  bool hold(JobId job, std::uint32_t gpus);
  /// Frees the idle parts of a job for the time being, takes them again, or ends them.
  void free_held(JobId job);
  void take_held(JobId job);
  void end_hold(JobId job);

  /// Makes some free GPUs unavailable until `unmask`; nested masks end in reverse order.
  void mask(const GpuSet& gpus) { take_free(gpus); }
  void unmask(const GpuSet& gpus) { give(gpus); }

  /// What has been decided so far; `rollback` undoes all later placements, then all later releases.
  struct Savepoint {
    std::size_t placements, releases;
  };
  [[nodiscard]] Savepoint savepoint() const { return {count_, released_.size()}; }
  void rollback(Savepoint to);

  /// The cause of a waiting job's delay from now on.
  void because(JobId job, DelayCause cause) {
    if (state_.causes) state_.causes->set(job, cause, now_s_);
  }

  [[nodiscard]] bool placed(JobId job) const { return placement_of_[job.index()] != 0; }
  [[nodiscard]] bool released(std::uint32_t slot) const { return state_.running.released[slot] != 0; }
  [[nodiscard]] bool changes() const { return count_ > 0 || !released_.empty(); }
  /// The GPUs of the placement made last.
  [[nodiscard]] const GpuSet& last_placement() const { return placements_[count_ - 1].gpus; }
  /// Requests put to the placement policy in the whole run.
  [[nodiscard]] std::uint64_t requests() const { return requests_; }

  // For the dispatcher.
  struct Release {
    JobId job;
    StopReason reason;
  };
  struct EndedHold {
    GpuSet gpus;
    double since_s, end_s;
  };
  [[nodiscard]] bool repacks() const { return repacks_; }
  [[nodiscard]] std::span<Placement> placements() { return std::span(placements_).first(count_); }
  [[nodiscard]] const std::vector<Release>& releases() const { return released_; }
  [[nodiscard]] const std::vector<EndedHold>& ended_holds() const { return ended_holds_; }
  /// Fills the rate factors of a placement: inside a pass class by class, while the slowdowns of the class are in
  /// cache.
  void weigh(Placement& placement, ClassId cls);
  /// The placement has been carried out or given up.
  void forget_placed(const Placement& placement) { placement_of_[placement.job.index()] = 0; }
  /// GPUs for a part of a job on several partitions: not decided, but taken at once.
  bool choose(const Request& request, GpuSet& gpus);
  void serialize(auto& archive, unsigned /*version*/) { (archive & requests_); }

  std::vector<ActiveJob> active;  ///< by ascending job, after `find_active`

 private:
  [[nodiscard]] Request request(JobId job) const;
  Placement& next_placement(JobId job);
  void add_placement();
  void keep_places(std::span<const JobId> staying);
  bool place(const Request& request);
  void mask_beyond(ClassId cls, const Confinement& confinement);
  bool place_waiting(const Request& request);
  void give(const GpuSet& gpus) {
    for (const NodeGpus& part : gpus) state_.free.give(part);
  }
  void take_free(const GpuSet& gpus) {
    for (const NodeGpus& part : gpus) state_.free.take(part);
  }

  /// Makes the nodes unavailable that the queue of a job does not have, until `unmask(excluded_)`.
  void mask_beyond_queue(JobId job);

  PartitionState& state_;
  PlacementPolicy& policy_;
  double now_s_ = 0;
  bool repacks_ = false;
  std::vector<Placement> placements_;  // the first `count_` are in use
  std::size_t count_ = 0;
  std::vector<std::uint32_t>& placement_of_;  // index into `placements_` + 1, 0 for none; not after a repacking
  std::vector<Release> released_;
  std::vector<EndedHold> ended_holds_;
  GpuSet excluded_;
  std::uint64_t requests_ = 0;
};

}  // namespace palstudy
