// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "sim/state/effect.hpp"

namespace palstudy {

/// The GPU time that each job of a partition is predicted to need, fixed when it arrives there from the jobs that had
/// ended in that partition before. Jobs on several partitions are not
/// predicted, and nothing is learnt from them.
class Predictions final : public Effect {
 public:
  explicit Predictions(PartitionState& state) : state_(state), predictor_(state.world.predictor()) {}

  bool admits(JobId job, double now_s) override;
  void moved_in(JobId job, double arrival_s) override;
  void job_ended(JobId job, double time_s, EndReason reason) override;
  void serialize(Fields& f) override;

 private:
  void learn(JobId job, double seconds) { predictor_->learn(state_.job(job), seconds); }

  PartitionState& state_;
  std::unique_ptr<Predictor> predictor_;
  // What the predictor has learnt from, in this order; its state follows from it.
  std::vector<JobId> ended_;
  std::vector<double> ran_s_;
};

}  // namespace palstudy
