// SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "sim/effects/interference/neighbours.hpp"
#include "sim/state/effect.hpp"

namespace palstudy {
namespace {

/// The slowdown of jobs that share nodes with others. What happens at one instant changes neighbourhoods several times;
/// rates are brought up to date once, at its end.
class Interference final : public Effect {
 public:
  explicit Interference(PartitionState& state)
      : state_(state), neighbours_(state.world.interference, state.topology().nodes()) {}

  void on_take(JobId job, const GpuSet& gpus) override { neighbours_.enter(job, gpus); }
  void on_give(JobId job, const GpuSet& gpus) override { neighbours_.leave(job, gpus); }
  void adjust(JobId job, const GpuSet& gpus, Rate& rate) const override { rate.stall *= neighbours_.factor(job, gpus); }
  void settle(double /*now_s*/, Changes& changes) override {
    neighbours_.take_disturbed(disturbed_);
    for (const JobId job : disturbed_) changes.rates.push_back(job);
  }
  /// Nothing is written: the neighbours follow from the running jobs.
  void serialize(Fields& f) override;
  /// The factors are those that follow from the jobs of the nodes alone.
  void check(double now_s) const override;

 private:
  const PartitionState& state_;
  Neighbours neighbours_;
  std::vector<JobId> disturbed_;
};

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
    const bool alone = state_.effects.stalling == 1;  // otherwise other effects stall the job as well
    if (neighbours_.factor(job, gpus) == factor && (!alone || running.stall[slot] == factor)) continue;
    throw fault("a job runs as if it had other neighbours",
                std::to_string(state_.job(job).id) + " at " + std::to_string(now_s));
  }
}

}  // namespace

void register_effect_interference(EffectRegistry& registry) {
  registry.add(
      {"interference",
       "Jobs of several GPUs that share a node slow each other down: `interference.intra`, `interference.inter`.",
       {},
       {.place = 2,
        .used = [](const World& world) { return world.interference.on(); },
        .make = [](PartitionState& state, Attempts&) -> std::unique_ptr<Effect> {
          return std::make_unique<Interference>(state);
        },
        .stalls = true}});
}

}  // namespace palstudy
