// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/error.hpp"
#include "core/registry.hpp"
#include "variability/slowdowns.hpp"
#include "variability/sources/cluster_source.hpp"

namespace palstudy {

/// The spread of a class's measurements, from which believed slowdowns are drawn.
struct ClassSpread {
  std::uint32_t stream = 0;  ///< classes of one kernel have the same, and so the same noise
  double run_sd = 0;         ///< robust, of log run about the median of its GPU
  double gpu_sd = 0;         ///< robust, between the log medians of GPUs
};

/// What a belief is made from. The functions are called by beliefs that need what they give.
struct BeliefContext {
  const Slowdowns& truth;
  std::function<std::vector<ClassSpread>()> spreads;  ///< by class
  std::function<Slowdowns(RunsUsed)> same_gpus;       ///< the truth's GPUs by other of their runs
  std::uint64_t seed = 1;                             ///< of what it draws
};

/// What the policies believe the slowdowns to be: a value of `policy.knowledge`.
struct Belief {
  const char* what;                    ///< as readers of results see it: "the true slowdowns"
  Measured needs = Measured::nothing;  ///< of the source of the cluster
  bool draws = false;                  ///< by `cluster.seed` or `policy.seed`
  bool halves = false;  ///< the 1st, 3rd, ... run of each GPU is the truth then, so that the others can be believed
  Slowdowns (*believe)(const BeliefContext&, const ParamValues&) = nullptr;  ///< null: the truth
};
using BeliefRegistry = Registry<Belief>;
[[nodiscard]] const BeliefRegistry& beliefs();

/// The truth with noise: `change(spread of the class, gpu, slowdown)` in the place of each slowdown. Errors (fault):
/// spreads of another number of classes.
template <class Change>
Slowdowns with_noise(const BeliefContext& from, Change change) {
  const Slowdowns& truth = from.truth;
  const std::vector<ClassSpread> spreads = from.spreads();
  if (spreads.size() != truth.classes()) throw fault("spreads of another number of classes");
  std::vector<double> values;
  values.reserve(truth.classes() * truth.gpus());
  for (std::size_t c = 0; c < truth.classes(); ++c) {
    std::uint32_t gpu = 0;
    for (const double slowdown : truth.of(ClassId(c))) values.push_back(change(spreads[c], gpu++, slowdown));
  }
  return {truth.class_names(), truth.gpus(), std::move(values)};
}

}  // namespace palstudy
