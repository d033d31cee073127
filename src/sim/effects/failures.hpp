// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/effects/failures/attempts.hpp"
#include "sim/state/effect.hpp"

namespace palstudy {

/// Attempts that fail: what is drawn when one starts, when it ends for that, and how much of its work is kept.
class Failures final : public Effect {
 public:
  /// `attempts`: of all jobs, shared by the partitions of a rank.
  Failures(PartitionState& state, Attempts& attempts) : state_(state), attempts_(attempts) {}

  bool admits(JobId job, double now_s) override;
  void moved_in(JobId job, double arrival_s) override;
  void waits_again(JobId job, double now_s) override { (void)validate(now_s, job, true); }
  void job_ended(JobId job, double time_s, EndReason reason) override;
  void on_take(JobId job, const GpuSet& gpus) override;
  [[nodiscard]] double work_limit(JobId job, double) const override { return attempts_.work_until[job.index()]; }
  [[nodiscard]] double end_s(std::uint32_t slot, double finish_s) override;
  [[nodiscard]] EndReason end_reason(JobId job) const override;
  void began(std::uint32_t slot) override;
  void ends(EndedInterval& interval) override;
  void ended(const EndedInterval& interval) override;
  void serialize(Fields& f) override { palstudy::serialize(f, rows_); }
  [[nodiscard]] std::size_t rows() const override { return rows_.size(); }
  void close(PartitionRecord& record) override { record.failures = std::move(rows_); }
  void check(double now_s) const override;

 private:
  [[nodiscard]] const AttemptModel& model() const { return state_.world.failures->model; }
  [[nodiscard]] bool tried_again(JobId job) const;
  bool validate(double now_s, JobId job, bool recorded);
  void choose_place_at_fault(JobId job, const GpuSet& gpus, std::uint32_t number, double sum);
  [[nodiscard]] double saved_before(double end_s, JobId job) const;
  [[nodiscard]] double work_saved(double saved_s, std::uint32_t slot) const;
  void undo_since_checkpoint(EndedInterval& interval);

  const PartitionState& state_;
  Attempts& attempts_;
  FailureRows rows_;
  double loss_s_ = 0;  // run time that the interval which ends has lost
};

}  // namespace palstudy
