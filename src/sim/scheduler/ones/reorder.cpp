// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/reorder.hpp"

#include <algorithm>
#include <cstddef>

#include "core/error.hpp"
#include "core/numbers.hpp"

namespace palstudy {

Reordered OnesReorder::operator()(std::span<const OnesCount> counts, const OnesSchedule& deployed,
                                  std::span<const OnesJob> jobs, const SlownessCost& slowness) {
  gpus_ = deployed.size();
  jobs_ = counts.size();
  words_ = jobs_ / 64 + 1;
  set_window(counts);
  if (least_.back() > gpus_) throw fault("a schedule of more GPUs than there are");
  set_costs(counts, deployed, jobs, slowness);
  const std::size_t states = state(gpus_, jobs_) + 1;
  best_.assign(states, infinity);
  last_.resize(states);
  from_.resize(jobs_ + 1);
  used_.assign(states * words_, 0);
  best_[0] = 0;
  for (std::size_t i = 1; i <= gpus_; ++i) fill(i, counts);
  return result(counts);
}

void OnesReorder::set_window(std::span<const OnesCount> counts) {
  window_.clear();
  for (const OnesCount& count : counts) window_.push_back(count.gpus);
  std::ranges::sort(window_);
  least_.assign(1, 0);
  for (const std::uint32_t gpus : window_) least_.push_back(least_.back() + gpus);
}

/// The costs of the runs that end before GPU i, for i from the job's count on.
void OnesReorder::set_costs(std::span<const OnesCount> counts, const OnesSchedule& deployed,
                            std::span<const OnesJob> jobs, const SlownessCost& slowness) {
  run_costs_.assign(jobs_ * (gpus_ + 1), infinity);
  before_.resize(gpus_ + 1);
  for (std::size_t j = 0; j < jobs_; ++j) {
    const OnesCount& count = counts[j];
    before_[0] = 0;
    for (std::size_t i = 0; i < gpus_; ++i) {
      before_[i + 1] = before_[i] + (deployed[i] != no_job_row && deployed[i] != count.row ? 1 : 0);
    }
    const std::span<double> costs = std::span(run_costs_).subspan(j * (gpus_ + 1), gpus_ + 1);
    for (std::size_t end = count.gpus; end <= gpus_; ++end) costs[end] = before_[end] - before_[end - count.gpus];
    if (slowness.slowdowns != nullptr) add_slowness(count, costs, jobs[count.row].cls, slowness);
  }
}

/// Adds to the cost of each run that of its slowest GPU, the first of those in `window_` that are still in the run.
void OnesReorder::add_slowness(const OnesCount& count, std::span<double> costs, ClassId cls,
                               const SlownessCost& slowness) {
  const auto slowdown = [&](std::uint32_t gpu) { return slowness.slowdowns->of(cls, gpu); };
  window_.clear();
  std::size_t first = 0;
  for (std::uint32_t gpu = 0; gpu < gpus_; ++gpu) {
    while (window_.size() > first && slowdown(window_.back()) <= slowdown(gpu)) window_.pop_back();
    window_.push_back(gpu);
    if (window_[first] + count.gpus <= gpu) ++first;
    if (gpu + 1 >= count.gpus) costs[gpu + 1] += slowness.weight * count.gpus * (slowdown(window_[first]) - 1);
  }
}

/// The lists of the first `gpus` GPUs, for all numbers of jobs placed that fit and can still become a list of all jobs.
/// Job by job, and for each the numbers of jobs one after the other, as they lie in memory.
void OnesReorder::fill(std::size_t gpus, std::span<const OnesCount> counts) {
  const std::size_t later = jobs_ > 0 ? (gpus_ - gpus) / least_[1] : 0;
  const std::size_t fewest = jobs_ > later ? jobs_ - later : 0;
  std::size_t most = jobs_;
  while (least_[most] > gpus) --most;
  if (most < fewest) return;
  double* const best = &best_[state(gpus, 0)];
  for (std::size_t k = fewest; k <= most; ++k) {
    best[k] = best_[state(gpus - 1, k)];
    from_[k] = {state(gpus - 1, k), empty};
  }
  for (std::uint32_t j = 0; j < jobs_; ++j) {
    if (counts[j].gpus > gpus) continue;
    const double run = run_costs_[j * (gpus_ + 1) + gpus];
    const std::size_t before = state(gpus - counts[j].gpus, 0);
    for (std::size_t k = std::max<std::size_t>(fewest, 1); k <= most; ++k) {
      const double cost = best_[before + k - 1] + run;
      if (cost < best[k] && !used(before + k - 1, j)) {
        best[k] = cost;
        from_[k] = {before + k - 1, j};
      }
    }
  }
  for (std::size_t k = fewest; k <= most; ++k) {
    if (best[k] < infinity) keep(state(gpus, k), from_[k]);
  }
}

void OnesReorder::keep(std::size_t state, const Step& step) {
  last_[state] = step.job;
  std::copy_n(used_.begin() + static_cast<std::ptrdiff_t>(step.from * words_), words_,
              used_.begin() + static_cast<std::ptrdiff_t>(state * words_));
  if (step.job != empty) used_[state * words_ + step.job / 64] |= std::uint64_t{1} << (step.job % 64);
}

Reordered OnesReorder::result(std::span<const OnesCount> counts) const {
  Reordered out{OnesSchedule(gpus_, no_job_row), best_[state(gpus_, jobs_)]};
  std::size_t placed = jobs_;
  for (std::size_t i = gpus_; i > 0;) {
    const std::uint32_t job = last_[state(i, placed)];
    if (job == empty) {
      --i;
      continue;
    }
    i -= counts[job].gpus;
    --placed;
    std::fill_n(out.schedule.begin() + static_cast<std::ptrdiff_t>(i), counts[job].gpus, counts[job].row);
  }
  return out;
}

}  // namespace palstudy
