// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace palstudy {

/// What is asked of samples, of measured GPUs and of generated ones alike. All are functions of the values alone, and
/// none is of nothing.

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

}  // namespace palstudy
