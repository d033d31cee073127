// SPDX-License-Identifier: MIT
#include "sim/effects/interference.hpp"

#include <string>

#include "core/error.hpp"

namespace palstudy {

Interference::Interference(PartitionState& state)
    : state_(state), neighbours_(state.world.interference, state.topology().nodes()) {}

void Interference::settle(double, Changes& changes) {
  neighbours_.take_disturbed(disturbed_);
  for (const JobId job : disturbed_) changes.rates.push_back(job);
}

void Interference::serialize(Fields& f) {
  if (f.saving()) return;
  const RunningSet& running = state_.running;
  for (std::uint32_t slot = 0; slot < running.size(); ++slot) {
    neighbours_.enter(running.job[slot], running.allocation[slot].gpus);
  }
  neighbours_.take_disturbed(disturbed_);
}

void Interference::check(double now_s) const {
  const RunningSet& running = state_.running;
  Neighbours twin(state_.world.interference, state_.topology().nodes());
  for (std::uint32_t slot = 0; slot < running.size(); ++slot) {
    twin.enter(running.job[slot], running.allocation[slot].gpus);
  }
  for (std::uint32_t slot = 0; slot < running.size(); ++slot) {
    const JobId job = running.job[slot];
    const GpuSet& gpus = running.allocation[slot].gpus;
    const double factor = twin.factor(job, gpus);
    const bool alone = state_.world.effects.empty();  // otherwise other effects may stall the job as well
    if (neighbours_.factor(job, gpus) == factor && (!alone || running.stall[slot] == factor)) continue;
    throw fault("a job runs as if it had other neighbours",
                std::to_string(state_.job(job).id) + " at " + std::to_string(now_s));
  }
}

void register_effect_interference(EffectRegistry& registry) {
  registry.add(
      {"interference",
       "Jobs of several GPUs that share a node slow each other down: `interference.intra`, `interference.inter`.",
       {},
       {2, [](const World& world) { return world.interference.on(); },
        [](PartitionState& state, Attempts&) -> std::unique_ptr<Effect> {
          return std::make_unique<Interference>(state);
        }}});
}

}  // namespace palstudy
