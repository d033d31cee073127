// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace palstudy {

// Statistics of samples. Where nothing else is said they need at least one value.

/// The middle value, or the mean of the middle two; same unit.
[[nodiscard]] double median(std::vector<double> values);
/// 1.4826 x the median distance from the median: the standard deviation of a normal sample, whatever a few outliers do.
[[nodiscard]] double robust_sd(const std::vector<double>& values);
/// Standard deviation with n; 0 for one value.
[[nodiscard]] double plain_sd(std::span<const double> values);
[[nodiscard]] std::vector<double> sorted(std::span<const double> values);

/// Spearman's rank correlation, ties with their mean rank; NaN if either sample is constant or has fewer than 3 values.
/// Errors (fault): samples of different sizes.
[[nodiscard]] double rank_correlation(std::span<const double> a, std::span<const double> b);
/// The mean rank of each value, from 1.
[[nodiscard]] std::vector<double> mean_ranks(std::span<const double> values);

/// Largest distance between two empirical distributions (two-sample Kolmogorov-Smirnov), ties taken whole.
[[nodiscard]] double ks_distance(std::span<const double> a, std::span<const double> b);

/// ICC(1): the share of the variance that lies between groups, from a one-way analysis of variance with random effects
/// (Shrout & Fleiss 1979; groups of different sizes with the mean size n0 of Donner 1986). May be negative. Groups of
/// one value count for the variance between groups only. NaN with fewer than two groups, or without a group of two.
[[nodiscard]] double within_group_correlation(const std::vector<std::vector<double>>& groups);

/// The p-quantile of at least one ascending value, with linear interpolation.
[[nodiscard]] inline double sorted_quantile(std::span<const double> ascending, double p) {
  const double place = p * static_cast<double>(ascending.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), ascending.size() - 1);
  const auto above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (place - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

/// How much of a sum its largest values hold.
struct Concentration {
  std::size_t few = 0, values = 0;  ///< so many of the values are the largest
  double share = 0;                 ///< of the sum that they hold; 0 where there are none
};

/// The share held by the largest values, as many of them as make less than `part` of all. Values are not negative.
[[nodiscard]] Concentration held_by_largest(std::vector<double> values, double part);

/// The smallest number of values that hold more than `share` of the sum. Values are not negative.
[[nodiscard]] Concentration held_by_fewest(std::vector<double> values, double share);

/// The geometric mean: the exponential of the mean of the logarithms. NaN of none.
[[nodiscard]] double geometric_mean(const std::vector<double>& values);

}  // namespace palstudy
