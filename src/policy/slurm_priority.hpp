// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/registry.hpp"
#include "policy/fair_share.hpp"

namespace palstudy {

/// What Slurm's priority/multifactor weighs (its documentation; the keys of `[slurm]`).
struct PriorityOptions {
  double age_weight = 0, fair_share_weight = 0, size_weight = 0;
  double max_age_s = 0;  ///< at which the age factor is 1
  bool favor_small = false;
  double half_life_s = 0, period_s = 0;  ///< of usage: how fast it decays, how often all is computed
  FairShareRule rule = FairShareRule::fair_tree;
};

/// From the parameters of the order multifactor, which have Slurm's units. Errors (usage): no weight, as Slurm's
/// defaults have it.
[[nodiscard]] PriorityOptions priority_options(const ParamValues& params);

/// What a job wants, as a share of all.
struct JobPart {
  double nodes = 0, gpus = 0;
};

/// A job's priority from a tick on, a whole number. `age_s`: at the tick, negative for a job that came later. Recorded
/// runs (tests/golden/runs/slurm) show that the size factor is the mean of both shares, and that a job which came
/// within a second of the tick has no age yet.
[[nodiscard]] inline std::int64_t slurm_priority(const PriorityOptions& options, double age_s, double fair_share,
                                                 const JobPart& part) {
  const double age = age_s > 1 ? std::min(1.0, age_s / options.max_age_s) : 0;
  const double size = std::min(1.0, (part.nodes + part.gpus) / 2);
  return static_cast<std::int64_t>(options.age_weight * age + options.fair_share_weight * fair_share +
                                   options.size_weight * (options.favor_small ? 1 - size : size));
}

}  // namespace palstudy
