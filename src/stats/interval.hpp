// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <optional>

#include "stats/grid.hpp"

namespace palstudy {

/// What is shown of every mean: the range that holds the true one in 95 of 100 studies.
inline constexpr double confidence = 0.95;
/// Fewer replications than this give no interval: the t-distribution needs means that are near normal.
inline constexpr std::size_t least_replications = 8;
/// Resamples of a bootstrap; more if several intervals have to hold together, so that `least_in_tail` of them lie
/// beyond.
inline constexpr int resamples = 2000, least_in_tail = 10;

/// Why there is no interval.
enum class Missing {
  nothing,           ///< there is one
  no_change,         ///< the seeds change nothing
  few_replications,  ///< these and the next are fewer than `least_replications`: combinations of seeds
  few_clusters,      ///< seeds of clusters, which are crossed with those of workloads
  few_workloads,
  few_blocks,     ///< of the trace that is resampled
  few_resamples,  ///< seeds, each of which is a resample of the trace
  no_spread,      ///< hardly any resample has a spread
  few_decide      ///< a few replications: the ends would be over a factor of 10,000 apart
};
[[nodiscard]] const char* name_of(Missing why);
/// What there is too little of: "cluster seeds"; "" where it is not for that.
[[nodiscard]] const char* counted_by(Missing why);
struct NoInterval {
  Missing why = Missing::nothing;
  std::size_t have = 0, need = 0;  ///< where there are too few
  explicit operator bool() const { return why != Missing::nothing; }
  friend auto operator<=>(const NoInterval&, const NoInterval&) = default;
};
/// That there are fewer than `least_replications`, if there are.
[[nodiscard]] NoInterval too_few(std::size_t have, Missing why);

/// How an interval of log-ratios is made.
enum class IntervalMethod { none, student, bootstrap, crossed_student, crossed_bootstrap, of_resamples };
[[nodiscard]] const char* name_of(IntervalMethod method);

struct Interval {
  double low = 0, high = 0;
  double p_value = 1;  ///< of the hypothesis that the mean is 0, two-sided
};

/// Student's t about the estimate. With `comparisons` it is one of so many that hold together at 95 % (Bonferroni: each
/// fails in a share of 5 % / comparisons). Errors (fault): no degrees of freedom.
[[nodiscard]] Interval student_interval(const Estimate& estimate, std::size_t comparisons = 1);

/// Bootstrap-t (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 12.5): the distribution of
/// (mean* - mean) / error* over resamples stands for Student's t, so that skewness is followed. Quantiles of completion
/// times are skewed and lumpy where their means are not. Crossed seeds are resampled in both directions, rows and
/// columns each with replacement (Owen, The pigeonhole bootstrap, Annals of Applied Statistics 1(2), 2007). The random
/// numbers are fixed, so that the same data give the same interval. None if hardly any resample has a spread.
[[nodiscard]] std::optional<Interval> bootstrap_interval(const Grid& grid, const Estimate& estimate,
                                                         std::size_t comparisons = 1);

}  // namespace palstudy
