// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "policy/backfill_policy.hpp"
#include "sim/state/expected_time.hpp"
#include "sim/state/scheduler.hpp"

namespace palstudy {

/// Starts the waiting jobs of a partition by a backfill with reservations, and counts what comes of its promises.
///
/// A running job that has outlived its expected end is expected to go on for 60 s more, or until the next boundary
/// where jobs start at boundaries. While there is one, every boundary is visited: what is planned moves on with time.
///
/// With `policy.reservation = "bin"` the job with the reservation is promised as many GPUs as it wants of the bins up
/// to that of the slowest of the fastest GPUs that will be free. A job that outlasts the shadow time takes of the GPUs
/// that are left over only where it takes GPUs of these bins.
class Backfilling final : private BackfillTurn {
 public:
  Backfilling(const SchedulerContext& context, const BackfillPolicy& policy);

  void notify(const JobEvent& event);
  void capacity_changed() { inconsistent = true; }
  /// Starts jobs of `ordered`, which all wait.
  void decide(const View& view, Transaction& transaction, std::span<const JobId> ordered);
  /// As `Scheduler::next_change_s`.
  [[nodiscard]] double next_change_s(double now_s) const;
  /// When a job that lost its GPUs may be looked at again; infinite if there is none.
  [[nodiscard]] double next_eligible_s() const;
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & reservations & promises_ & held_ & ended & inconsistent);
  }

 private:
  /// GPUs of the bins up to `last` of a class.
  struct KeptBins {
    ClassId cls;
    std::uint32_t last = 0;
  };

  void tell_followers(const JobEvent& event);
  StartedJob start(const WaitingJob& job) override;
  void undo() override;
  void promise(const Promise& promise) override;
  std::uint32_t keep(const WaitingJob& job, double start_s) override;
  [[nodiscard]] bool array_full(const WaitingJob& job) const override;
  const GpuSet* would_get(const WaitingJob& job) override { return transaction_->would_get(job.job); }
  void list_running() override;
  void list_releases();
  void sort_by_queues(const QueueRules& rules);
  void leave_out_held();
  void leave_out_followers(const StartRules& rules);
  void count_tasks(const StartRules& rules);
  void plan(std::span<const JobId> ordered);
  [[nodiscard]] double length_s(double left_s) const;
  [[nodiscard]] bool kept_bin(ClassId cls, std::uint32_t gpu) const;
  std::vector<Reservation>::iterator promise_of(JobId job);
  std::optional<double> forget_promise(JobId job);

  PartitionState& state_;
  const BackfillPolicy& policy_;
  const ExpectedTime expected_;
  std::vector<NodeSet> queue_nodes_;
  std::vector<Reservation> held_;      // waiting jobs that are not looked at yet; only the start counts
  std::vector<Reservation> promises_;  // the first to each job that waits, by ascending job; only the start counts
  // For one turn.
  Transaction* transaction_ = nullptr;
  std::vector<WaitingJob> jobs_;
  std::vector<std::uint32_t> tasks_;  // that run, by array
  std::deque<GpuSet> started_gpus_;   // of jobs started in this turn, where nodes are planned
  Transaction::Savepoint before_{};
  std::optional<KeptBins> kept_;  // none: any GPUs
};

}  // namespace palstudy
