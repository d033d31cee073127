// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "variability/binning/kmeans_1d.hpp"

namespace palstudy {

/// The mean silhouette of a partition (Rousseeuw 1987): over all numbers, (b - a) / max(a, b), where a is the mean
/// distance to the others of the same cluster and b that to the nearest other cluster; 0 for a number alone in its
/// cluster. In [-1, 1]; 0 for fewer than two clusters. O(n) for n distinct values: on a line the mean distance to a
/// cluster that lies aside is the distance to its mean, so the nearest is a neighbour, and a follows from running sums.
[[nodiscard]] double mean_silhouette(const SortedValues& values, const ClusterStarts& starts);

/// The K-means partition into `least_k`..`most_k` clusters that has the greatest mean silhouette; the smallest K of
/// equals. Fewer distinct values than `least_k` give a cluster each.
[[nodiscard]] ClusterStarts best_clusters(const SortedValues& values, std::uint32_t least_k, std::uint32_t most_k);

}  // namespace palstudy
