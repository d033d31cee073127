// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workload/elastic/noise_scale.hpp"
#include "workload/elastic/step_time.hpp"

namespace palstudy {

/// Between which bounds the batch of a job may be chosen, in samples.
struct BatchLimits {
  std::uint32_t initial = 1;    ///< M0, which the user trains with; progress is counted in iterations at it
  std::uint32_t most = 1;       ///< on all GPUs together
  std::uint32_t min_local = 1;  ///< in a pass on one GPU
};

/// A model on one type of GPUs.
struct TypeTime {
  StepTime step;
  std::uint32_t max_local = 1;  ///< most samples of a pass: what the memory of a GPU holds
  double error = 0;             ///< median relative error of the fitted times of an iteration
};

/// The work of a job in epochs of equal length. Noise is constant within an epoch, and the batch is chosen anew after
/// it.
struct Epochs {
  std::uint32_t count = 1;
  double iterations = 1;  ///< of an epoch, at the initial batch

  /// All the work, in iterations at the initial batch.
  [[nodiscard]] double work() const { return end(count - 1); }
  /// The progress at which an epoch, counted from 0, ends.
  [[nodiscard]] double end(std::uint32_t epoch) const { return iterations * (epoch + 1.0); }
  /// The epoch that a job with that progress is in; the last one if it has ended.
  [[nodiscard]] std::uint32_t at(double progress) const;
  /// The share of the work that stands for an epoch: 0 of the first, 1 of the last.
  [[nodiscard]] double share(std::uint32_t epoch) const;
};

/// What is known of an application whose number of GPUs and batch may change.
struct ElasticModel {
  std::string name;
  BatchLimits limits;
  std::vector<TypeTime> types;  ///< by type of GPUs
  NoiseScale noise;
  Epochs epochs;
  double restart_s = 0;  ///< what a change of its GPUs costs

  /// The noise scale in an epoch, in samples.
  [[nodiscard]] double noise_in(std::uint32_t epoch) const { return noise.at(epochs.share(epoch)); }
};

/// Useful samples a second: the throughput times the efficiency (Pollux, section 3).
[[nodiscard]] double goodput(const BatchLimits& limits, const StepTime& time, JobShape shape, Batch batch, double noise,
                             const SlowGpus& slow = {});

/// The speed of a job in iterations at the initial batch, a second: goodput / initial batch.
[[nodiscard]] double iterations_per_s(const BatchLimits& limits, const StepTime& time, JobShape shape, Batch batch,
                                      double noise, const SlowGpus& slow = {});

/// The most GPUs that a job may have next, if it has had at most `most_so_far`: twice as many, at most `cap`, and so
/// that each has the smallest pass (Pollux and Sia). At least 1.
[[nodiscard]] std::uint32_t growth_limit(const BatchLimits& limits, std::uint32_t most_so_far, std::uint32_t cap = 64);

}  // namespace palstudy
