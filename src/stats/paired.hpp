// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>

namespace palstudy {

/// One pair: the same point of all other axes under a policy and under its baseline.
struct Pair {
  double policy = 0, baseline = 0;
  std::size_t replication = 0;  ///< which combination of seeds; 0, 1, 2, ...
};

/// An improvement over a baseline: 1 - ratio; 0.4 is 40 % less.
struct Improvement {
  double mean = 0;             ///< 1 - geometric mean of the ratios
  double least = 0, most = 0;  ///< over the pairs
  std::size_t pairs = 0, replications = 0;
  std::optional<double> low, high;  ///< 95 % interval of the mean
  std::string no_interval;          ///< why there is none, "" if there is
};

/// Fewer independent replications than this give no interval: the t-distribution asks for means that are near normal.
inline constexpr std::size_t least_replications = 8;

/// Compares by ratios, since runs of different traces differ by orders of magnitude. The interval is Student's t over
/// the replications' mean log-ratios: pairs of one replication (traces on one cluster) are not independent of each
/// other. Ratios must be positive; a pair of two zeros counts as 1. Errors (fault): no pairs.
[[nodiscard]] Improvement improvement(std::span<const Pair> pairs);

/// Whether a ratio can be formed: both finite and positive, or both zero.
[[nodiscard]] bool comparable(double policy, double baseline);

}  // namespace palstudy
