// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/effects/interference/neighbours.hpp"
#include "sim/state/effect.hpp"

namespace palstudy {

/// The slowdown of jobs that share nodes with others. What happens at one instant changes neighbourhoods several times;
/// rates are brought up to date once, at its end.
class Interference final : public Effect {
 public:
  explicit Interference(PartitionState& state);

  void on_take(JobId job, const GpuSet& gpus) override { neighbours_.enter(job, gpus); }
  void on_give(JobId job, const GpuSet& gpus) override { neighbours_.leave(job, gpus); }
  void adjust(JobId job, const GpuSet& gpus, Rate& rate) const override { rate.stall *= neighbours_.factor(job, gpus); }
  void settle(double now_s, Changes& changes) override;
  /// Nothing is written: the neighbours follow from the running jobs.
  void serialize(Fields& f) override;
  /// The factors are those that follow from the jobs of the nodes alone.
  void check(double now_s) const override;

 private:
  const PartitionState& state_;
  Neighbours neighbours_;
  std::vector<JobId> disturbed_;
};

}  // namespace palstudy
