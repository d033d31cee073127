// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "stats/grid.hpp"

namespace palstudy {

/// What the workloads of a study are drawn from, where each is a resample of one trace.
struct TraceSample {
  std::string what;           ///< "42 days", for messages
  std::size_t blocks = 0;     ///< that are drawn with replacement: days, weeks or users of the trace
  double degrees = 0;         ///< of freedom that they have
  double widening = 1;        ///< variance of an estimate over variance of its resamples
  std::string held = "";      ///< how often such intervals held the truth in simulations: "95 to 96 %"
  std::string coverage = "";  ///< `held` as a clause, with its consequence
};

/// The mean over resamples of one trace, and how far another trace of its kind would lie from it. Each workload is one
/// bootstrap replicate of the estimate, so their variance s^2 is that of the estimate itself (Efron and Tibshirani, An
/// Introduction to the Bootstrap, 1993, section 6.2), after `widening`; more replicates make it no smaller. What their
/// mean wanders with other seeds of cluster and workload, `estimate` of the grid, comes on top:
///   s^2 x widening + se^2.
/// s^2 is as good as the fewer of blocks and replicates: its degrees of freedom are 1 / (1 / block degrees +
/// 1 / (workloads - 1)), those of the sum Satterthwaite's. Where each workload has a cluster of its own s^2 has the
/// spread of both, and the error is too large rather than too small.
[[nodiscard]] Estimate resampled_estimate(std::span<const Observation> observations, const TraceSample& trace);

/// Why resamples of such a trace give no interval, or "".
[[nodiscard]] std::string no_resampled_interval(std::span<const Observation> observations, const TraceSample& trace);

}  // namespace palstudy
