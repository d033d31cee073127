// SPDX-License-Identifier: MIT
#include "variability/binning/kmeans_1d.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/random.hpp"
#include "variability/slow_twins.hpp"

namespace palstudy {
namespace {

ClusterStarts starts_of(const std::vector<double>& numbers, std::uint32_t k) {
  return KMeans1d(sort_values(numbers), k).clusters(k);
}

// Equal numbers are joined, and every number finds its value again.
TEST(SortValues, JoinsEqualNumbers) {
  const std::vector<double> numbers = {3, 1, 2, 1, 3, 3};
  const SortedValues sorted = sort_values(numbers);
  EXPECT_EQ(sorted.value, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(sorted.weight, (std::vector<std::uint32_t>{2, 1, 3}));
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(sorted.value[sorted.of_input[i]], numbers[i]);
}

// By hand: {1,2} {10,11} {30} has the squared error 0.5 + 0.5 + 0; every other partition into three joins numbers that
// are at least 8 apart.
TEST(KMeans, FindsClearGroups) {
  EXPECT_EQ(starts_of({30, 1, 11, 2, 10}, 3), (ClusterStarts{0, 2, 4}));
  const SortedValues sorted = sort_values(std::vector<double>{30, 1, 11, 2, 10});
  EXPECT_EQ(centroids(sorted, {0, 2, 4}), (std::vector<double>{1.5, 10.5, 30}));
}

// Weights count. By hand, {0 x 9, 1, 2}: {0}{1,2} costs 0.5; {0,1}{2} costs 9 x 0.01 + 0.81 = 0.9. Without the weights
// both would cost 0.5.
TEST(KMeans, CountsEqualNumbers) {
  std::vector<double> numbers(9, 0.0);
  numbers.push_back(1);
  numbers.push_back(2);
  EXPECT_EQ(starts_of(numbers, 2), (ClusterStarts{0, 1}));
}

// {0}{1,2} and {0,1}{2} are equally good: the lowest split is taken, whatever the order of the input.
TEST(KMeans, BreaksTiesDownwards) {
  EXPECT_EQ(starts_of({0, 1, 2}, 2), (ClusterStarts{0, 1}));
  EXPECT_EQ(starts_of({2, 0, 1}, 2), (ClusterStarts{0, 1}));
}

// K above the number of distinct values gives each its own cluster; nothing has no clusters.
TEST(KMeans, HasNoMoreClustersThanDistinctValues) {
  EXPECT_EQ(starts_of({5, 5, 7, 5}, 4), (ClusterStarts{0, 1}));
  EXPECT_EQ(starts_of({5, 5, 5}, 2), (ClusterStarts{0}));
  EXPECT_EQ(starts_of({}, 2), ClusterStarts{});
}

// The centroid of equal numbers is that number to the last bit: 0.1 x 3 / 3 taken naively is another double.
TEST(KMeans, CentroidOfEqualNumbersIsExact) {
  const SortedValues sorted = sort_values(std::vector<double>(3, 0.1));
  EXPECT_EQ(centroids(sorted, {0}), std::vector<double>{0.1});
}

// Against every partition there is, on small inputs with and without repeated numbers.
TEST(KMeans, IsAsGoodAsTheBestOfAllPartitions) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto numbers = twin::some_values(4 + seed % 8, seed % 2 == 0 ? 1000 : 6, seed);
    const SortedValues sorted = sort_values(numbers);
    const KMeans1d kmeans(sorted, 5);
    for (std::uint32_t k = 1; k <= kmeans.max_k(); ++k) {
      const double ours = twin::squared_error(numbers, twin::labels(sorted, kmeans.clusters(k)));
      EXPECT_NEAR(ours, twin::least_squared_error_by_trial(sorted, k), 1e-13) << "seed " << seed << ", K " << k;
    }
  }
}

// Against the O(K n^2) recurrence on larger ones; the clusters are intervals that start in ascending order.
TEST(KMeans, IsAsGoodAsTheTextbook) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto numbers = twin::some_values(150, seed % 2 == 0 ? 1U << 20 : 60, seed);
    const SortedValues sorted = sort_values(numbers);
    const KMeans1d kmeans(sorted, 12);
    for (const std::uint32_t k : {2U, 3U, 7U, 11U, 12U}) {
      const ClusterStarts starts = kmeans.clusters(k);
      ASSERT_EQ(starts.size(), k);
      EXPECT_EQ(starts.front(), 0U);
      EXPECT_TRUE(std::is_sorted(starts.begin(), starts.end(), std::less_equal<>{}));
      const double ours = twin::squared_error(numbers, twin::labels(sorted, starts));
      EXPECT_NEAR(ours, twin::least_squared_error(sorted, k), 1e-12) << "seed " << seed << ", K " << k;
    }
  }
}

// The widest K is computed at its end only, a narrower one everywhere: asked for the same K, both have to agree.
TEST(KMeans, DoesNotDependOnTheWidestK) {
  const SortedValues sorted = sort_values(twin::some_values(400, 5000, 3));
  const KMeans1d wide(sorted, 10);
  for (std::uint32_t k = 1; k <= 10; ++k) EXPECT_EQ(KMeans1d(sorted, k).clusters(k), wide.clusters(k)) << k;
}

// Numbers that are far from zero and near each other: squares of 1e6 + small would lose every digit of the small part.
TEST(KMeans, KeepsSmallDifferencesOfLargeNumbers) {
  std::vector<double> numbers;
  for (int i = 0; i < 50; ++i) numbers.push_back(1e6 + (i % 2 == 0 ? 0 : 1e-3) + i * 1e-7);
  EXPECT_EQ(starts_of(numbers, 2), (ClusterStarts{0, 25}));
}

// 5 values in 2 groups of 2 and 3: means by hand, weights summed. As many groups as values changes nothing.
TEST(JoinNeighbours, GivesMeansOfNeighbours) {
  SortedValues values;
  values.value = {1, 2, 4, 8, 16};
  values.weight = {1, 3, 1, 1, 2};
  const GroupedValues joined = group_neighbours(values, 2);
  EXPECT_EQ(joined.first, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(joined.values.weight, (std::vector<std::uint32_t>{4, 4}));
  EXPECT_EQ(joined.values.value, (std::vector<double>{7.0 / 4, 44.0 / 4}));
  EXPECT_EQ(group_neighbours(values, 9).values.value, values.value);
}

double squares(const SortedValues& values, const ClusterStarts& starts) {
  double sum = 0;
  const auto means = centroids(values, starts);
  for (std::size_t c = 0, i = 0; i < values.size(); ++i) {
    while (c + 1 < starts.size() && starts[c + 1] <= i) ++c;
    sum += values.weight[i] * (values.value[i] - means[c]) * (values.value[i] - means[c]);
  }
  return sum;
}

// Clusters of groups are as good as exact ones, but for ends that are off by less than a group: 20,000 values in 1,000
// groups of 20. Never better, since exact is the best there is.
TEST(JoinNeighbours, LosesNextToNothing) {
  std::vector<double> numbers;
  RandomStream random(1, Purpose::cluster_draw, 0);
  for (int i = 0; i < 20000; ++i) numbers.push_back(random.uniform() * random.uniform() + (i % 3));
  const SortedValues values = sort_values(numbers);
  const GroupedValues joined = group_neighbours(values, 1000);
  for (const std::uint32_t k : {2u, 3u, 5u, 9u}) {
    ClusterStarts groups = KMeans1d(joined.values, k).clusters(k);
    for (std::uint32_t& start : groups) start = joined.first[start];
    const double exact = squares(values, KMeans1d(values, k).clusters(k)), by_groups = squares(values, groups);
    EXPECT_GE(by_groups, exact * (1 - 1e-12)) << k;
    EXPECT_LT(by_groups, exact * 1.001) << k;
  }
}

}  // namespace
}  // namespace palstudy
