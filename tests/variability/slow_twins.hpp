// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "variability/binning/kmeans_1d.hpp"

// The same answers as in src/variability, written the obvious and slow way, from the definitions.
namespace palstudy::twin {

/// A number for each of 0..n-1, the same in every run of the tests, with about `distinct` different ones.
std::vector<double> some_values(std::size_t n, std::uint32_t distinct, std::uint64_t seed);

/// Cluster of each number given.
std::vector<std::size_t> labels(const SortedValues& values, const ClusterStarts& starts);

/// Sum of squared distances to the mean of the cluster.
double squared_error(const std::vector<double>& numbers, const std::vector<std::size_t>& label);

/// Least squared error of any partition of the distinct values into exactly k intervals: every one is tried.
double least_squared_error_by_trial(const SortedValues& values, std::uint32_t k);

/// The same by the textbook O(k n^2) recurrence.
double least_squared_error(const SortedValues& values, std::uint32_t k);

/// Mean silhouette from all distances between all pairs of numbers; against every other cluster, not only neighbours.
double mean_silhouette(const std::vector<double>& numbers, const std::vector<std::size_t>& label);

}  // namespace palstudy::twin
