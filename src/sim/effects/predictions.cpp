// SPDX-License-Identifier: MIT
#include "sim/effects/predictions.hpp"

namespace palstudy {

bool Predictions::admits(JobId job, double /*now_s*/) {
  state_.table.predicted_gpu_s[job.index()] = predictor_->gpu_s(state_.job(job));
  return true;
}

/// By the history of this partition, on whatever rank it is.
void Predictions::moved_in(JobId job, double arrival_s) { (void)admits(job, arrival_s); }

void Predictions::job_ended(JobId job, double time_s, EndReason /*reason*/) {
  if (!predictor_->learns()) return;
  ended_.push_back(job);
  ran_s_.push_back(state_.table.attained_s(job, time_s));
  learn(job, ran_s_.back());
}

void Predictions::serialize(Fields& f) {
  f(ended_), f(ran_s_);
  if (f.saving()) return;
  Fields::require_same(ended_.size(), ran_s_.size());
  for (std::size_t i = 0; i < ended_.size(); ++i) learn(ended_[i], ran_s_[i]);
}

void register_effect_predictions(EffectRegistry& registry) {
  registry.add({"predictions",
                "The GPU time of a job is predicted when it arrives: `workload.predictor`.",
                {},
                {4, [](const World& world) { return static_cast<bool>(world.predictor); },
                 [](PartitionState& state, Attempts&) -> std::unique_ptr<Effect> {
                   return std::make_unique<Predictions>(state);
                 }}});
}

}  // namespace palstudy
