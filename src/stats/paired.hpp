// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/grid.hpp"
#include "stats/interval.hpp"
#include "stats/resampled.hpp"

namespace palstudy {

/// One pair: the same point of all other axes under a policy and under its baseline.
struct Pair {
  double policy = 0, baseline = 0;
  std::size_t cluster = 0, workload = 0;  ///< its replication: which cluster seed and which workload seed
};

/// How a metric is compared.
struct Comparing {
  bool by_bootstrap = false;      ///< bootstrap-t, for quantiles; else Student's t
  bool larger_is_better = false;  ///< then the gain is ratio - 1
  /// Where the workloads are resamples of a trace: the interval is then for other traces of its kind.
  std::optional<TraceSample> resampled = std::nullopt;
  /// So many intervals are to hold together at 95 % (Bonferroni); 1: each by itself.
  std::size_t comparisons = 1;
};

/// A policy against its baseline. (More than 15 members: a figure of the answer each.)
struct Improvement {
  double ratio = 1;            ///< geometric mean of policy / baseline
  double mean = 0;             ///< the gain: 1 - ratio; ratio - 1 where larger is better. 0.4 is 40 % better
  double least = 0, most = 0;  ///< gain of the worst and of the best pair
  double least_ratio = 1, most_ratio = 1;
  std::size_t pairs = 0, wins = 0, ties = 0;
  std::size_t replications = 0;             ///< independent ones; of a crossed design, pairs of seeds
  std::size_t clusters = 0, workloads = 0;  ///< seeds of each, if they are crossed; else 0
  Replicated by = Replicated::together;     ///< what the replications are
  std::optional<double> low, high;          ///< 95 % interval of the gain
  std::optional<double> ratio_low, ratio_high;
  std::optional<double> p_value;  ///< of no difference, not yet corrected for how many are looked at
  IntervalMethod method = IntervalMethod::none;
  NoInterval no_interval;  ///< why there is none
};

/// Compares by ratios, since runs of different traces differ by orders of magnitude. The interval is over replications,
/// of which each gives its mean log-ratio: pairs of one replication (traces on one cluster) are not independent of each
/// other. There is none under `least_replications` in a direction, and none where the seeds change nothing. Ratios
/// must be positive; a pair of two zeros counts as 1. Errors (fault): no pairs.
[[nodiscard]] Improvement improvement(std::span<const Pair> pairs, const Comparing& how = {});

/// Whether a ratio can be formed: both finite and positive, or both zero.
[[nodiscard]] bool comparable(double policy, double baseline);

/// Why a grid gives no interval.
[[nodiscard]] NoInterval no_interval(const Grid& grid);

/// p-values that may be read side by side: the chance of any false one among them is held (Holm, Scandinavian Journal
/// of Statistics 6(2), 1979). In the order given.
[[nodiscard]] std::vector<double> holm(const std::vector<double>& p_values);

/// The first look of a stopping rule may not come earlier: with fewer seeds the spread is known so badly that luck ends
/// studies too early, and the interval then holds the truth less often than it says.
inline constexpr std::size_t min_seeds_at_first_look = 20;

/// Whether the 95 % interval of the ratio is at most `relative_half_width` to either side, on the scale of logarithms;
/// so it is where the seeds change nothing, and never where there is no interval for another reason.
[[nodiscard]] bool narrow_enough(const Improvement& improvement, double relative_half_width);

}  // namespace palstudy
