// SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/effects/failures/failure_rules.hpp"
#include "sim/state/effect.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// Attempts at jobs fail.
class Failures final : public WithState<Failures, Effect> {
 public:
  Failures(PartitionState& state, Attempts& attempts) : state_(state), rules_(state.world, attempts, state.rows) {}

  bool admits(JobId job, double now_s) override { return rules_.admits(job, now_s); }
  void moved_in(JobId job, double arrival_s) override { rules_.moved_in(job, arrival_s); }
  void waits_again(JobId job, double now_s) override { rules_.waits_again(job, now_s); }
  void job_ended(JobId job, double time_s, EndReason reason) override { rules_.job_ended(job, time_s, reason); }
  void on_take(JobId job, const GpuSet& gpus) override {
    if (rules_.under_way(job)) return;
    gpus_.clear();
    if (faults_are_of_places(state_.world)) state_.append_cluster_ids(gpus, gpus_);
    rules_.start(job, gpus_);
  }
  [[nodiscard]] double work_limit(JobId job, double) const override { return rules_.work_limit(job); }
  [[nodiscard]] double end_s(std::uint32_t slot, double finish_s) override {
    return rules_.end_s(state_.running.job[slot], state_.running.progress[slot].launched_s, finish_s);
  }
  [[nodiscard]] EndReason end_reason(JobId job) const override { return rules_.end_reason(job); }
  void began(std::uint32_t slot) override {
    const JobProgress& progress = state_.running.progress[slot];
    rules_.began(state_.running.job[slot], progress.launched_s, progress.segment);
  }
  void ends(EndedInterval& interval) override { rules_.ends(interval, state_.running.progress[interval.slot].segment); }
  void ended(const EndedInterval& interval) override {
    rules_.ended(interval, state_.running.allocation[interval.slot].sums.exec_s);
  }
  void serialize(auto& archive, unsigned /*version*/) { (archive & rules_.rows()); }
  [[nodiscard]] std::size_t rows() const override { return rules_.rows().size(); }
  void close(PartitionRecord& record) override { record.failures = std::move(rules_.rows()); }
  void check(double now_s) const override;

 private:
  const PartitionState& state_;
  FailureRules rules_;
  std::vector<std::uint32_t> gpus_;  // buffer
};

void Failures::check(double now_s) const {
  for (const JobId job : state_.queue.waiting()) {
    rules_.check(now_s, job, state_.table.course(job).work_done, false);
  }
  for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
    rules_.check(now_s, state_.running.job[slot], state_.running.progress[slot].segment.work, true);
  }
}

std::unique_ptr<Effect> make_failures(PartitionState& state, Attempts& attempts) {
  return std::make_unique<Failures>(state, attempts);
}

}  // namespace

void register_effect_failures(EffectRegistry& registry) {
  registry.add({"failures",
                "Attempts at jobs fail, and lose the work since their last checkpoint: `failures.model`.",
                {},
                {.place = 1,
                 .used = [](const World& world) { return world.failures != nullptr; },
                 .make = make_failures,
                 .make_wide = make_failures}});
}

}  // namespace palstudy
