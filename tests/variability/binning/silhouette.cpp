// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "variability/binning/kmeans_1d.hpp"
#include "variability/slow_twins.hpp"

namespace palstudy {
namespace {

// By hand, {0, 1} {10}: for 0, a = 1, b = 10: 0.9; for 1, a = 1, b = 9: 8/9; 10 is alone: 0. The mean is 161/270.
TEST(Silhouette, ByHand) {
  const SortedValues sorted = sort_values(std::vector<double>{0, 1, 10});
  EXPECT_DOUBLE_EQ(mean_silhouette(sorted, {0, 2}), 161.0 / 270.0);
}

// Clusters of equal numbers are perfect: a = 0 for each, so 1; and one cluster has no silhouette.
TEST(Silhouette, Extremes) {
  const SortedValues sorted = sort_values(std::vector<double>{1, 1, 2, 2, 2});
  EXPECT_EQ(mean_silhouette(sorted, {0, 1}), 1.0);
  EXPECT_EQ(mean_silhouette(sorted, {0}), 0.0);
}

// Against the definition, for good partitions and bad ones, with repeated numbers and clusters of one.
TEST(Silhouette, EqualsTheDefinition) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto numbers = twin::some_values(80, seed % 2 == 0 ? 100000 : 15, seed);
    const SortedValues sorted = sort_values(numbers);
    const auto n = static_cast<std::uint32_t>(sorted.size());
    std::vector<ClusterStarts> partitions = {{0, 1}, {0, n - 1}, {0, 1, 2, n / 2}, {0, n / 3, n / 3 + 1, n - 2}};
    for (std::uint32_t k = 2; k <= 7; ++k) partitions.push_back(KMeans1d(sorted, k).clusters(k));
    for (const auto& starts : partitions) {
      EXPECT_NEAR(mean_silhouette(sorted, starts), twin::mean_silhouette(numbers, twin::labels(sorted, starts)), 1e-12)
          << "seed " << seed << ", K " << starts.size();
    }
  }
}

// The chosen partition has the greatest silhouette of all K allowed, by the slow twin, and is the first that has it.
TEST(BestClusters, HasTheGreatestSilhouette) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto numbers = twin::some_values(60, 500, seed);
    const SortedValues sorted = sort_values(numbers);
    const ClusterStarts best = best_clusters(sorted, 2, 10);
    const double greatest = twin::mean_silhouette(numbers, twin::labels(sorted, best));
    for (std::uint32_t k = 2; k <= 10; ++k) {
      const auto label = twin::labels(sorted, KMeans1d(sorted, k).clusters(k));
      EXPECT_LE(twin::mean_silhouette(numbers, label), greatest + 1e-12) << "seed " << seed << ", K " << k;
    }
  }
}

// Four tight groups, far apart: K = 4.
TEST(BestClusters, FindsTheNumberOfGroups) {
  std::vector<double> numbers;
  for (int i = 0; i < 40; ++i) numbers.push_back(100.0 * (i % 4) + 0.1 * (i / 4));
  EXPECT_EQ(best_clusters(sort_values(numbers), 2, 10), (ClusterStarts{0, 10, 20, 30}));
}

// K is bounded from above by what is asked for and by the distinct values; too few give a cluster each.
TEST(BestClusters, StaysWithinItsBounds) {
  std::vector<double> numbers;
  for (int i = 0; i < 40; ++i) numbers.push_back(100.0 * (i % 4) + 0.1 * (i / 4));
  EXPECT_LE(best_clusters(sort_values(numbers), 2, 3).size(), 3U);
  EXPECT_EQ(best_clusters(sort_values(std::vector<double>{4, 4, 4}), 2, 10), (ClusterStarts{0}));
  EXPECT_EQ(best_clusters(sort_values(std::vector<double>{4, 9}), 2, 10), (ClusterStarts{0, 1}));
}

}  // namespace
}  // namespace palstudy
