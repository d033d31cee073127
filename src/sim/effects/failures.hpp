// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sim/effects/failures/failure_rules.hpp"
#include "sim/state/effect.hpp"

namespace palstudy {

/// Attempts at the jobs of one partition fail, by the rules that hold for jobs on several partitions as well.
class Failures final : public Effect {
 public:
  /// `attempts`: of all jobs, shared by the partitions of a rank.
  Failures(PartitionState& state, Attempts& attempts) : state_(state), rules_(state.world, attempts, state.rows) {}

  bool admits(JobId job, double now_s) override { return rules_.admits(job, now_s); }
  void moved_in(JobId job, double arrival_s) override { rules_.moved_in(job, arrival_s); }
  void waits_again(JobId job, double now_s) override { rules_.waits_again(job, now_s); }
  void job_ended(JobId job, double time_s, EndReason reason) override { rules_.job_ended(job, time_s, reason); }
  void on_take(JobId job, const GpuSet& gpus) override;
  [[nodiscard]] double work_limit(JobId job, double) const override { return rules_.work_limit(job); }
  [[nodiscard]] double end_s(std::uint32_t slot, double finish_s) override;
  [[nodiscard]] EndReason end_reason(JobId job) const override { return rules_.end_reason(job); }
  void began(std::uint32_t slot) override;
  void ends(EndedInterval& interval) override;
  void ended(const EndedInterval& interval) override;
  void serialize(Fields& f) override { rules_.rows().serialize(f); }
  [[nodiscard]] std::size_t rows() const override { return rules_.rows().size(); }
  void close(PartitionRecord& record) override { record.failures = std::move(rules_.rows()); }
  void check(double now_s) const override;

 private:
  const PartitionState& state_;
  FailureRules rules_;
  std::vector<std::uint32_t> gpus_;  // buffer
};

}  // namespace palstudy
