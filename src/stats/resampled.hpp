// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "stats/grid.hpp"
#include "stats/interval.hpp"

namespace palstudy {

/// What the workloads of a study are drawn from, where each is a resample of one trace.
struct TraceSample {
  std::size_t blocks = 0;  ///< that are drawn with replacement: days, weeks or users of the trace
  double degrees = 0;      ///< of freedom that they have
  double widening = 1;     ///< variance of an estimate over variance of its resamples
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

/// Why resamples of such a trace give no interval.
[[nodiscard]] NoInterval no_resampled_interval(std::span<const Observation> observations, const TraceSample& trace);

}  // namespace palstudy
