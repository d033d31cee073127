// SPDX-License-Identifier: MIT
#include "sim/state/expected_time.hpp"

#include <algorithm>

namespace palstudy {

ExpectedTime::ExpectedTime(const PartitionState& state) : state_(state) {
  if (state.world.engine.inflation == EstimateInflation::none) return;
  const Bins& bins = state.resources.bins;
  for (std::size_t c = 0; c < bins.classes(); ++c) {
    const ClassBins& of_class = bins.of(ClassId(c));
    double sum = 0;
    for (const auto bin : of_class.of_gpu) sum += of_class.values[bin];
    mean_slowdown_.push_back(of_class.median * sum / static_cast<double>(of_class.of_gpu.size()));
  }
  for (std::uint32_t n = 0; n < state.topology().nodes(); ++n) {
    most_per_node_ = std::max(most_per_node_, state.topology().gpus_of(NodeId(n)));
  }
}

double ExpectedTime::mean_factor(JobId job) const {
  if (mean_slowdown_.empty()) return 1;
  const LocalityPenalty& penalty = state_.world.believed_penalty.of(job);
  const double across = std::max(penalty.cabinet, penalty.cluster);
  return (state_.width(job) <= most_per_node_ ? penalty.node : across) * mean_slowdown_[state_.job(job).cls.index()];
}

double ExpectedTime::factor(JobId job, const GpuSet& gpus) const {
  if (!by_gpus()) return mean_factor(job);
  // The product orders GPUs by values over the median bin; seconds need the slowdowns themselves.
  return state_.believed_cost(job, gpus).product * state_.free.bins().of(state_.job(job).cls).median;
}

double ExpectedTime::left_s(JobId job, double factor) const {
  return state_.job(job).requested_s() * factor - state_.table.course(job).attained_before_s;
}

double ExpectedTime::left_s(JobId job, const GpuSet& gpus) const { return left_s(job, factor(job, gpus)); }

double ExpectedTime::end_s(std::uint32_t slot) const {
  const JobId job = state_.running.job[slot];
  return state_.table.course(job).held_since_s + left_s(job, state_.running.allocation[slot].gpus);
}

double ExpectedTime::extended_s(double now_s) const {
  constexpr double extension_s = 60;
  const EngineOptions& engine = state_.world.engine;
  if (engine.start == Start::event) return now_s + extension_s;
  const Rounds rounds = engine.rounds();
  return rounds.time_s(rounds.after(now_s));
}

}  // namespace palstudy
