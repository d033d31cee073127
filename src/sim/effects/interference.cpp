// SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "sim/effects/interference/neighbours.hpp"
#include "sim/state/effect.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// The slowdown of jobs that share nodes with others. What happens at one instant changes neighbourhoods several times;
/// rates are brought up to date once, at its end.
class Interference final : public WithState<Interference, Effect> {
 public:
  explicit Interference(const PartitionState& state) : state_(state), neighbours_(state.topology().nodes()) {}

  void on_take(JobId job, const GpuSet& gpus) override { neighbours_.enter(job, gpus); }
  void on_give(JobId job, const GpuSet& gpus) override { neighbours_.leave(job, gpus); }
  void part_taken(JobId job, const GpuSet& part) override { neighbours_.enter_part(job, part); }
  void part_given(JobId job, const GpuSet& part) override { neighbours_.leave_part(job, part); }
  [[nodiscard]] double part_feels(JobId job, const GpuSet& part) const override {
    return static_cast<double>(neighbours_.shared_by_part(job, part));
  }
  void adjust(JobId job, const GpuSet& gpus, Rate& rate) const override {
    rate.stall *= factor_of(state_.world.interference, neighbours_.shared(job, gpus));
  }
  void settle(double /*now_s*/, Changes& changes) override {
    neighbours_.take_disturbed(disturbed_);
    for (const JobId job : disturbed_) changes.rates.push_back(job);
  }
  /// Nothing is written: the neighbours follow from the jobs that hold GPUs.
  template <class Archive>
  void serialize(Archive& /*archive*/, unsigned /*version*/) {
    if constexpr (Archive::is_loading::value) enter_all(neighbours_), neighbours_.take_disturbed(disturbed_);
  }
  /// The factors are those that follow from the jobs of the nodes alone.
  void check(double now_s) const override;

 private:
  void enter_all(Neighbours& neighbours) const;

  const PartitionState& state_;
  Neighbours neighbours_;
  std::vector<JobId> disturbed_;
};

void Interference::enter_all(Neighbours& neighbours) const {
  const RunningSet& running = state_.running;
  for (std::uint32_t slot = 0; slot < running.size(); ++slot) {
    neighbours.enter(running.job[slot], running.allocation[slot].gpus);
  }
  for (const HeldPart& part : state_.wide_parts) neighbours.enter_part(part.job, part.gpus);
}

void Interference::check(double now_s) const {
  const RunningSet& running = state_.running;
  Neighbours twin(state_.topology().nodes());
  enter_all(twin);
  const auto fail = [&](JobId job) {
    throw fault("a job runs as if it had other neighbours",
                std::to_string(state_.job(job).id) + " at " + std::to_string(now_s));
  };
  for (std::uint32_t slot = 0; slot < running.size(); ++slot) {
    const JobId job = running.job[slot];
    const GpuSet& gpus = running.allocation[slot].gpus;
    const Shared shared = twin.shared(job, gpus);
    const bool alone = state_.effects.stalling == 1;  // otherwise other effects stall the job as well
    const double factor = factor_of(state_.world.interference, shared);
    if (neighbours_.shared(job, gpus) != shared || (alone && running.stall[slot] != factor)) fail(job);
  }
  for (const auto& [job, gpus, since_s, slowest] : state_.wide_parts) {
    if (neighbours_.shared_by_part(job, gpus) != twin.shared_by_part(job, gpus)) fail(job);
  }
}

/// That of jobs on several partitions, which know their neighbours.
class WideInterference final : public WithState<WideInterference, Effect> {
 public:
  explicit WideInterference(const PartitionState& state) : state_(state) {}

  void feels(JobId job, double most) override {
    const auto shared = static_cast<Shared>(most);
    if (job.index() >= shared_.size()) shared_.resize(job.index() + 1, Shared::nothing);
    if (std::exchange(shared_[job.index()], shared) != shared) disturbed_.push_back(job);
  }
  void adjust(JobId job, const GpuSet& /*gpus*/, Rate& rate) const override {
    if (job.index() < shared_.size()) rate.stall *= factor_of(state_.world.interference, shared_[job.index()]);
  }
  void settle(double /*now_s*/, Changes& changes) override {
    changes.rates.insert(changes.rates.end(), disturbed_.begin(), disturbed_.end());
    disturbed_.clear();
  }
  void serialize(auto& archive, unsigned /*version*/) { (archive & shared_); }

 private:
  const PartitionState& state_;
  std::vector<Shared> shared_;  // by job, as far as one has been told
  std::vector<JobId> disturbed_;
};

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
        .make_wide = [](PartitionState& state, Attempts&) -> std::unique_ptr<Effect> {
          return std::make_unique<WideInterference>(state);
        },
        .stalls = true}});
}

}  // namespace palstudy
