// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace palstudy {

/// Numbers in ascending order, equal ones joined. Unit: that of the numbers.
struct SortedValues {
  std::vector<double> value;            ///< distinct, ascending
  std::vector<std::uint32_t> weight;    ///< how often each occurs
  std::vector<std::uint32_t> of_input;  ///< for each number given: its place in `value`
  [[nodiscard]] std::size_t size() const { return value.size(); }
};

/// `values` finite; any order.
[[nodiscard]] SortedValues sort_values(std::span<const double> values);

/// Sorted values whose clusters are runs of neighbours.
struct GroupedValues {
  SortedValues values;               ///< a group's value is the weighted mean of its own, its weight their sum
  std::vector<std::uint32_t> first;  ///< by group: place of its first value among those that were joined
};

/// Joins neighbours into at most `most` groups of nearly as many values each. Clusters of groups are then clusters of
/// values whose ends are off by less than a group: what a million values want is a quarter of a minute otherwise.
[[nodiscard]] GroupedValues group_neighbours(const SortedValues& values, std::size_t most);

/// A partition of sorted values into clusters: place of the first value of each, ascending; the first is 0.
using ClusterStarts = std::vector<std::uint32_t>;

/// Exact one-dimensional K-means for every K up to `max_k` at once: the partitions into K intervals with the least sum
/// of squared distances to the mean of each, by dynamic programming over sorted values (Wang & Song, "Ckmeans.1d.dp",
/// R Journal 3(2), 2011) with divide and conquer over the monotone split (Grønlund et al., arXiv 1701.07204).
/// O(max_k n log n) time and O(max_k n) memory for n distinct values: a million of them and K = 10 take two seconds.
/// Equal values are never split. Of equally good splits the lowest is taken, so the answer is a function of the values.
class KMeans1d {
 public:
  /// `values` must outlive this. `max_k` above the number of distinct values counts as that number.
  KMeans1d(const SortedValues& values, std::uint32_t max_k);

  [[nodiscard]] std::uint32_t max_k() const { return max_k_; }
  /// The best partition into min(k, max_k()) clusters; 1 <= k.
  [[nodiscard]] ClusterStarts clusters(std::uint32_t k) const;

 private:
  // Sums over all values before one. Long double and measured from the mean, because the sum of squares of a cluster is
  // a small difference of large numbers.
  struct Before {
    long double weight = 0, sum = 0, squares = 0;
  };
  struct Layer {
    const std::vector<long double>& previous;
    std::vector<long double>& cost;
    std::vector<std::uint32_t>& split;
  };
  [[nodiscard]] long double cost(std::size_t first, std::size_t last) const;
  void fill(Layer& layer, std::size_t low, std::size_t high, std::size_t least_split, std::size_t most_split) const;

  std::uint32_t max_k_;
  std::vector<Before> before_;                     // values + 1 entries
  std::vector<std::vector<std::uint32_t>> split_;  // [k - 2][j]: where the last of k clusters over values 0..j starts
};

/// The mean of each cluster.
[[nodiscard]] std::vector<double> centroids(const SortedValues& values, const ClusterStarts& starts);

/// The mean silhouette of a partition (Rousseeuw 1987): over all numbers, (b - a) / max(a, b), where a is the mean
/// distance to the others of the same cluster and b that to the nearest other cluster; 0 for a number alone in its
/// cluster. In [-1, 1]; 0 for fewer than two clusters. O(n) for n distinct values: on a line the mean distance to a
/// cluster that lies aside is the distance to its mean, so the nearest is a neighbour, and a follows from running sums.
[[nodiscard]] double mean_silhouette(const SortedValues& values, const ClusterStarts& starts);

/// The K-means partition into `least_k`..`most_k` clusters that has the greatest mean silhouette; the smallest K of
/// equals. Fewer distinct values than `least_k` give a cluster each.
[[nodiscard]] ClusterStarts best_clusters(const SortedValues& values, std::uint32_t least_k, std::uint32_t most_k);

}  // namespace palstudy
