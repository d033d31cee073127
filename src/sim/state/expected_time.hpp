// SPDX-License-Identifier: MIT
#pragma once

#include "sim/state/partition_state.hpp"

namespace palstudy {

/// For how long jobs of one partition are expected to run: by the estimates of their users, which know no slowdown, and
/// by `policy.estimate_inflation`. Nothing is written, so that looking changes nothing.
class ExpectedTime {
 public:
  explicit ExpectedTime(const PartitionState& state);

  /// Seconds for which a job is yet expected to hold GPUs if it starts now: on GPUs that are not known, and on these.
  [[nodiscard]] double left_s(JobId job) const { return left_s(job, mean_factor(job)); }
  [[nodiscard]] double left_s(JobId job, const GpuSet& gpus) const;
  /// When a running job is expected to end, which may be over already.
  [[nodiscard]] double end_s(std::uint32_t slot) const;
  /// When a job is expected to end that has not ended at `now_s`, though it should have.
  [[nodiscard]] double extended_s(double now_s) const;
  /// Whether that depends on which GPUs a job has.
  [[nodiscard]] bool by_gpus() const { return state_.world.engine.inflation == EstimateInflation::placement; }

 private:
  [[nodiscard]] double left_s(JobId job, double factor) const;
  [[nodiscard]] double mean_factor(JobId job) const;
  [[nodiscard]] double factor(JobId job, const GpuSet& gpus) const;

  const PartitionState& state_;
  std::vector<double> mean_slowdown_;  // believed, by class; empty where estimates are not inflated
  std::uint32_t most_per_node_ = 0;    // GPUs
};

}  // namespace palstudy
