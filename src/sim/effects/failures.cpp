// SPDX-License-Identifier: MIT
#include "sim/effects/failures.hpp"

namespace palstudy {

void Failures::on_take(JobId id, const GpuSet& gpus) {
  if (rules_.under_way(id)) return;
  gpus_.clear();
  if (faults_are_of_places(state_.world)) state_.append_cluster_ids(gpus, gpus_);
  rules_.start(id, gpus_);
}

double Failures::end_s(std::uint32_t slot, double finish_s) {
  return rules_.end_s(state_.running.job[slot], state_.running.progress[slot].launched_s, finish_s);
}

void Failures::began(std::uint32_t slot) {
  const JobProgress& progress = state_.running.progress[slot];
  rules_.began(state_.running.job[slot], progress.launched_s, progress.segment);
}

void Failures::ends(EndedInterval& interval) { rules_.ends(interval, state_.running.progress[interval.slot].segment); }

void Failures::ended(const EndedInterval& interval) {
  rules_.ended(interval, state_.running.allocation[interval.slot].sums.exec_s);
}

void Failures::check(double now_s) const {
  for (const JobId job : state_.queue.waiting()) {
    rules_.check(now_s, job, state_.table.course[job.index()].work_done, false);
  }
  for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
    rules_.check(now_s, state_.running.job[slot], state_.running.progress[slot].segment.work, true);
  }
}

void register_effect_failures(EffectRegistry& registry) {
  registry.add({"failures",
                "Attempts at jobs fail, and lose the work since their last checkpoint: `failures.model`.",
                {},
                {1, [](const World& world) { return world.failures != nullptr; },
                 [](PartitionState& state, Attempts& attempts) -> std::unique_ptr<Effect> {
                   return std::make_unique<Failures>(state, attempts);
                 }}});
}

}  // namespace palstudy
