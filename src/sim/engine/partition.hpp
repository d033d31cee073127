// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "policy/summaries.hpp"
#include "sim/engine/dispatcher.hpp"
#include "sim/engine/job_states.hpp"
#include "sim/state/partition_state.hpp"
#include "sim/state/scheduler.hpp"
#include "sim/state/stands_still.hpp"
#include "sim/state/transaction.hpp"

namespace palstudy {

/// The nodes that one scheduler serves, with its queue and its running jobs: keeps the order of what happens at one
/// instant. The simulation then calls `instant`, `complete`, `advance`, `admit` for each arrival, and `schedule`.
class Partition {
 public:
  Partition(const World& world, PartitionResources resources, const Policies& policies, JobStates& states,
            RunRows& rows);

  /// Time moves on to `now_s`: called first at every instant, of all partitions before `complete` of any.
  void instant(double now_s) { dispatcher_.instant(now_s); }
  /// Ends the jobs that have finished at or before `now_s`, in (finish, id) order, and frees their GPUs.
  void complete(double now_s) {
    if (dispatcher_.complete(now_s)) capacity_changed_ = true;
  }
  /// Then come the effects that have clocks of their own.
  void advance(double now_s) {
    if (dispatcher_.advance(now_s)) capacity_changed_ = true;
  }
  void admit(JobId job, double now_s);
  /// Stops, moves and launches jobs; a reserved partition starts nothing that does not run.
  void schedule(double now_s, bool reserved = false);
  /// The allocations of running jobs up to the end of the run, and all that was recorded; fractions are of the time up
  /// to `horizon_s`.
  PartitionRecord close(double end_s, double horizon_s);

  /// What the other ranks need of it. Free GPUs are counted by bin if `count_bins`.
  void summarize(Summaries& summaries, bool count_bins);
  /// Gives away, or takes in, a waiting job that has never started.
  void move_out(JobId job, double now_s) { dispatcher_.move_out(job, now_s); }
  void move_in(JobId job, double arrival_s) { dispatcher_.move_in(job, arrival_s); }
  /// What tenants use at this boundary: on all partitions, and on each.
  void tell_tenants(std::span<const std::int64_t> everywhere, const Summaries& each);

  /// GPUs that jobs on several partitions want here, which wait and would fit if all nodes were on.
  void wanted_by_wide_jobs(std::uint32_t gpus) { state_.wide_wanted = gpus; }
  /// A part of the GPUs of a job on several partitions: chosen by the placement policy and taken from the free ones.
  /// There are enough, in whole tensor groups where the job has them.
  const GpuSet& take_part(double now_s, JobId job, std::uint32_t gpus);
  /// All parts of a job are taken: the largest true slowdown among them.
  void part_begins(JobId job, double slowest);
  /// An interval of a job on several partitions has ended. If it has a part here, that goes on at another rate, or is
  /// given back; also when the run ends.
  void part_ran(const EndedInterval& interval);
  /// How much a job's part feels here; 0 if it has none.
  [[nodiscard]] double part_feels(JobId job) const;

  /// All of it but the rows of its jobs, to or from a checkpoint; the index of free GPUs is made again from what jobs
  /// hold. Into a partition that has done nothing yet; what is written has been through `write_back`.
  template <class Archive>
  void serialize(Archive& archive, unsigned version);
  void write_back() { dispatcher_.write_back(); }
  /// Errors (fault): a GPU held twice, a job lost, GPU-seconds that are not accounted for. For debug builds.
  void check_invariants(double now_s) const;

  /// The earliest end of a running job; infinity if none runs.
  [[nodiscard]] double next_finish_s() { return state_.running.finish.earliest(); }
  /// When effects next change anything by their own clocks.
  [[nodiscard]] double next_event_s() const { return dispatcher_.next_event_s(); }
  /// The first boundary after `now_s` at which a schedule could change although no job arrives or finishes.
  [[nodiscard]] Boundary next_change(double now_s);
  /// The first time after `now_s`, boundary or not, at which the scheduler has to decide although no job arrives or
  /// finishes.
  [[nodiscard]] double next_instant_s(double now_s) const;

  /// When a job could start here although none arrives or moves in; now, while one runs; infinity: never. `wide_waits`:
  /// some wait that would take a part.
  [[nodiscard]] double next_start_s(double now_s, bool wide_waits);
  /// Of the jobs that wait here the first that is hindered by more than its turn, else the first. While none runs.
  [[nodiscard]] std::optional<Hindered> hindered();

  [[nodiscard]] const PartitionState& state() const { return state_; }
  [[nodiscard]] const Recorder& recorder() const { return dispatcher_.recorder(); }
  [[nodiscard]] std::size_t effect_rows() const { return dispatcher_.effect_rows(); }

 private:
  [[nodiscard]] IndexCounts index_counts() const;
  void take_held_parts();
  [[nodiscard]] bool tenant_use_changed() const;
  Intervals::Effects watched(Intervals::Effects effects);

  PartitionState state_;
  Transaction transaction_;
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<const Effect*> effects_;  // the dispatcher's
  Dispatcher dispatcher_;
  bool summary_stale_ = false;     // a job has ended since the others had the summary, or a tenant uses other GPUs
  bool capacity_changed_ = false;  // since the scheduler last decided
  IndexCounts earlier_;            // of the index before the checkpoint that the run goes on from
};

}  // namespace palstudy
