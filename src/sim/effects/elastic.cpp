// SPDX-License-Identifier: MIT
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "sim/state/effect.hpp"
#include "sim/state/elastic_places.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// The speed of jobs that follows from their shape, their batch and how far they are (Pollux, OSDI'21, section 3). It
/// changes when an epoch ends, which is between boundaries. A start or a change of GPUs costs a restart.
class ElasticSpeeds final : public WithState<ElasticSpeeds, Effect> {
 public:
  explicit ElasticSpeeds(PartitionState& state) : state_(state), jobs_(*state.world.elastic) {}

  void on_take(JobId job, const GpuSet& /*gpus*/) override {
    const std::uint32_t slot = state_.running.slot_of(job);
    const double work =
        slot == RunningSet::no_slot ? state_.table.course(job).work_done : state_.running.progress[slot].segment.work;
    running_[job] = {jobs_.model(job).epochs.at(work), infinity};
  }
  void on_give(JobId job, const GpuSet& /*gpus*/) override { forget_epoch(job); }
  [[nodiscard]] double delay_s(JobId job, const GpuSet& /*gpus*/) const override { return jobs_.restart_of(job); }
  void adjust(JobId job, const GpuSet& gpus, Rate& rate) const override;
  [[nodiscard]] double end_s(std::uint32_t slot, double finish_s) override {
    expect_epoch_end(slot);
    return finish_s;
  }
  [[nodiscard]] double next_event_s() const override { return ends_.empty() ? infinity : ends_.begin()->first; }
  [[nodiscard]] double next_room_s() const override { return infinity; }
  void advance(double now_s, Changes& changes) override;
  void serialize(auto& archive, unsigned version);
  void check(double now_s) const override;

 private:
  struct Epoch {
    std::uint32_t number = 0;  ///< that the job is in
    double end_s = infinity;
  };

  void expect_epoch_end(std::uint32_t slot);
  void forget_epoch(JobId job) {
    const auto epoch = running_.find(job);
    if (epoch == running_.end()) return;
    ends_.erase({epoch->second.end_s, job});
    running_.erase(epoch);
  }

  PartitionState& state_;
  const ElasticJobs& jobs_;
  std::map<JobId, Epoch> running_;
  std::set<std::pair<double, JobId>> ends_;  // of epochs but the last
};

/// With `split` the factors are those by which slowdown, and then the penalty, stretch the iteration.
void ElasticSpeeds::adjust(JobId job, const GpuSet& gpus, Rate& rate) const {
  ElasticPlace place = place_of(state_, gpus, running_.at(job).number);
  const std::uint32_t samples = state_.sizes[job.index()].batch;
  place.slow = {jobs_.slow, rate.slowdown, rate.penalty};
  const Batch batch = batch_there(jobs_, job, place, samples);
  place.slow = {};
  rate.iteration_s = seconds_per_iteration(jobs_, job, place, batch);
  if (jobs_.slow == SlowKind::whole) return;
  place.slow = {jobs_.slow, rate.slowdown, 1};
  const double slowed = seconds_per_iteration(jobs_, job, place, batch);
  place.slow.penalty = rate.penalty;
  rate.slowdown = slowed / rate.iteration_s;
  rate.penalty = seconds_per_iteration(jobs_, job, place, batch) / slowed;
}

void ElasticSpeeds::expect_epoch_end(std::uint32_t slot) {
  const JobId job = state_.running.job[slot];
  const Epochs& epochs = jobs_.model(job).epochs;
  const JobProgress& progress = state_.running.progress[slot];
  Epoch& epoch = running_.at(job);
  ends_.erase({epoch.end_s, job});
  epoch.end_s = infinity;
  if (epoch.number + 1 >= epochs.count || epochs.end(epoch.number) >= progress.iterations) return;
  epoch.end_s = state_.work.finish_s(progress.segment, epochs.end(epoch.number));
  ends_.emplace(epoch.end_s, job);
}

/// The next epoch's end is expected at the old rate, until it is known whether that changes.
void ElasticSpeeds::advance(double now_s, Changes& changes) {
  while (!ends_.empty() && ends_.begin()->first <= now_s) {
    const JobId job = ends_.begin()->second;
    ++running_.at(job).number;
    expect_epoch_end(state_.running.slot_of(job));
    changes.rates.push_back(job);
  }
}

void ElasticSpeeds::serialize(auto& archive, unsigned /*version*/) {
  std::vector<JobId> jobs;
  std::vector<std::uint32_t> numbers;
  std::vector<double> end_s;
  for (const auto& [job, epoch] : running_) {
    jobs.push_back(job), numbers.push_back(epoch.number), end_s.push_back(epoch.end_s);
  }
  (archive & jobs & numbers & end_s);
  if constexpr (std::decay_t<decltype(archive)>::is_loading::value) {
    require_same(jobs.size(), numbers.size());
    require_same(jobs.size(), end_s.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      running_[jobs[i]] = {numbers[i], end_s[i]};
      if (end_s[i] < infinity) ends_.emplace(end_s[i], jobs[i]);
    }
  }
}

void ElasticSpeeds::check(double now_s) const {
  if (running_.size() != state_.running.size()) throw fault("epochs are kept of jobs that do not run");
  for (const auto& [end_s, job] : ends_) {
    if (end_s <= now_s || running_.at(job).end_s != end_s) throw fault("an epoch's end was missed");
  }
}

}  // namespace

void register_effect_elastic(EffectRegistry& registry) {
  registry.add({"elastic",
                "Elastic jobs, which no study has yet, are as fast as their GPUs, batch and progress let them be.",
                {},
                {.place = 0,
                 .used = [](const World& world) { return world.elastic != nullptr; },
                 .make = [](PartitionState& state, Attempts&) -> std::unique_ptr<Effect> {
                   return std::make_unique<ElasticSpeeds>(state);
                 },
                 .acts = BetweenBoundaries::anything}});
}

}  // namespace palstudy
