// SPDX-License-Identifier: MIT
#include <cstddef>
#include <memory>
#include <vector>

#include "sim/state/effect.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// The GPU time that each job of a partition is predicted to need, fixed when it arrives there from the jobs that had
/// ended in that partition before. Jobs on several partitions are not predicted, and nothing is learnt from them.
class Predictions final : public WithState<Predictions, Effect> {
 public:
  explicit Predictions(PartitionState& state) : state_(state), predictor_(state.world.predictor()) {}

  bool admits(JobId job, double /*now_s*/) override {
    state_.table.predict(job, predictor_->gpu_s(state_.job(job)));
    return true;
  }
  /// By the history of this partition, on whatever rank it is.
  void moved_in(JobId job, double arrival_s) override { (void)admits(job, arrival_s); }
  void job_ended(JobId job, double time_s, EndReason /*reason*/) override {
    if (!predictor_->learns()) return;
    ended_.push_back(job);
    ran_s_.push_back(state_.table.attained_s(job, time_s));
    learn(job, ran_s_.back());
  }
  template <class Archive>
  void serialize(Archive& archive, unsigned /*version*/) {
    (archive & ended_ & ran_s_);
    if constexpr (Archive::is_saving::value) return;
    require_same(ended_.size(), ran_s_.size());
    for (std::size_t i = 0; i < ended_.size(); ++i) learn(ended_[i], ran_s_[i]);
  }

 private:
  void learn(JobId job, double seconds) { predictor_->learn(state_.job(job), seconds); }

  PartitionState& state_;
  std::unique_ptr<Predictor> predictor_;
  // What the predictor has learnt from, in this order; its state follows from it.
  std::vector<JobId> ended_;
  std::vector<double> ran_s_;
};

}  // namespace

void register_effect_predictions(EffectRegistry& registry) {
  registry.add({"predictions",
                "The GPU time of a job is predicted when it arrives: `workload.predictor`.",
                {},
                {.place = 4,
                 .used = [](const World& world) { return static_cast<bool>(world.predictor); },
                 .make = [](PartitionState& state, Attempts&) -> std::unique_ptr<Effect> {
                   return std::make_unique<Predictions>(state);
                 }}});
}

}  // namespace palstudy
