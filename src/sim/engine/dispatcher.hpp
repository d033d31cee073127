// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/engine/intervals.hpp"
#include "sim/state/partition_state.hpp"
#include "sim/state/scheduler.hpp"
#include "sim/state/transaction.hpp"

namespace palstudy {

/// Carries decisions out: the only writer of the state of the jobs of one partition. What
/// happens to them is passed on to the effects, the recorder and the scheduler. (More than 25 functions: one for each
/// change of state.)
class Dispatcher {
 public:
  /// Everything given must outlive it.
  Dispatcher(PartitionState& state, Scheduler& scheduler, Intervals::Effects effects, Intervals::Observers observers);

  /// Time moves on to `now_s`: finds the jobs that are due, of all partitions before `complete` of any.
  void instant(double now_s);
  /// Ends them, in (finish, id) order, and frees their GPUs. Whether there are any.
  bool complete(double now_s);
  /// A job arrives. False: it is over already.
  bool admit(JobId job, double now_s);
  /// A waiting job that never started moves in from another partition, or out to one.
  void move_in(JobId job, double arrival_s);
  void move_out(JobId job, double now_s);
  /// What effects do by their own clocks, up to `now_s`. True if nodes have gone or come.
  bool advance(double now_s) { return !effects().empty() && advance_effects(now_s); }
  /// Turns decisions into stops, moves and launches, each by ascending id.
  void commit(double now_s, Transaction& transaction);
  /// Rates that follow from where jobs now run.
  void settle(double now_s) {
    if (!effects().empty()) settle_effects(now_s);
  }
  /// Ends the intervals of all jobs, at the end of the run, in this order, on which sums hang by rounding.
  [[nodiscard]] PartitionRecord close(double end_s, double horizon_s, const std::vector<JobId>& order);

  /// Before a checkpoint: writes the job table and the rows of running jobs, and sorts these by the iteration order.
  void write_back();
  /// The running jobs, and what else is kept of jobs, to or from a checkpoint.
  template <class Archive>
  void serialize_running(Archive& archive);
  void serialize(auto& archive, unsigned /*version*/) {
    serialize_stopped(archive);
    if (state_.causes) (archive & *state_.causes);
    (archive & intervals_);
  }

  [[nodiscard]] double next_event_s() const;
  [[nodiscard]] Intervals& intervals() { return intervals_; }
  [[nodiscard]] const Intervals& intervals() const { return intervals_; }
  [[nodiscard]] Recorder& recorder() { return intervals_.recorder(); }
  [[nodiscard]] const Recorder& recorder() const { return intervals_.recorder(); }
  [[nodiscard]] std::size_t effect_rows() const;
  void check(double now_s) const;

 private:
  /// A job that is due. At one time those that wait again come last, as their events do.
  struct Due {
    double time_s;
    EndReason reason;
    JobId job;
    [[nodiscard]] bool again() const { return reason == EndReason::failed_again; }
    friend bool operator<(const Due& a, const Due& b) {
      if (a.time_s != b.time_s) return a.time_s < b.time_s;
      return a.again() != b.again() ? b.again() : a.job < b.job;
    }
  };

  [[nodiscard]] const Intervals::Effects& effects() const { return intervals_.effects(); }
  /// Before the job's state changes.
  void notify(JobChange change, JobId job, double now_s, const GpuSet* gpus = nullptr) {
    assert(state_.table.can(job, change));
    if (wants_events_) scheduler_.notify({change, job, now_s, gpus});
  }
  void end_job(double now_s, const Due& due);
  void stop_without_gpus(double now_s, Transaction& transaction);
  void order_placements(Transaction& transaction);
  /// Whether a waiting job has had other GPUs before, which are forgotten now.
  [[nodiscard]] bool moved_while_stopped(const Placement& placement) {
    return !last_gpus_.empty() && forget_last_gpus(placement);
  }
  [[nodiscard]] bool forget_last_gpus(const Placement& placement);
  void launch(double now_s, Placement& placement, bool moved);
  void move(double now_s, Placement& placement);
  void resize(const Placement& placement);
  bool advance_effects(double now_s);
  void settle_effects(double now_s);
  void stop(double now_s, JobId job, EndReason reason);
  std::uint32_t add_running(JobId job, GpuSet& gpus);
  void keep_sums(std::uint32_t slot);
  void write_back(std::uint32_t slot);
  void leave(double end_s, std::uint32_t slot);
  [[nodiscard]] double start_s(double now_s, JobId job, bool launched_before, const GpuSet& gpus) const;
  void began(std::uint32_t slot);
  void give(JobId job, const GpuSet& gpus);
  bool carry_out(double now_s);
  void take_down(double now_s, NodeId node);
  template <class Archive>
  void serialize_stopped(Archive& archive);

  PartitionState& state_;
  Scheduler& scheduler_;
  bool wants_events_;
  Intervals intervals_;
  std::unordered_map<std::uint32_t, GpuSet> last_gpus_;  // of stopped jobs; looked up, never iterated over
  // Buffers.
  std::vector<std::uint32_t> due_, order_;
  std::vector<Due> endings_;  // of this instant
  std::vector<JobId> launched_;
  std::vector<Transaction::Release> stops_;
  Changes changes_;
};

}  // namespace palstudy
