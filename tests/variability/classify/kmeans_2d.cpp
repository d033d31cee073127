// SPDX-License-Identifier: MIT
#include "variability/classify/kmeans_2d.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/random.hpp"
#include "variability/binning/kmeans_1d.hpp"

namespace palstudy {
namespace {

std::vector<Point2> some_points(std::size_t n, std::uint64_t seed) {
  RandomStream random(seed, Purpose::reliability, 1);
  std::vector<Point2> points;
  while (points.size() < n) points.push_back({random.uniform(), random.uniform()});
  return points;
}

/// From the definition, point by point, with nothing kept.
double slow_silhouette(const std::vector<Point2>& points, const Labels2d& labels) {
  const std::set<std::size_t> clusters(labels.begin(), labels.end());
  if (clusters.size() < 2) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::map<std::size_t, double> mean;
    for (const std::size_t c : clusters) {
      double total = 0, count = 0;
      for (std::size_t j = 0; j < points.size(); ++j) {
        if (labels[j] != c || j == i) continue;
        total += std::hypot(points[i].x - points[j].x, points[i].y - points[j].y);
        count += 1;
      }
      mean[c] = count > 0 ? total / count : -1;
    }
    const double a = mean.at(labels[i]);
    if (a < 0) continue;
    double b = std::numeric_limits<double>::infinity();
    for (const auto& [c, value] : mean) b = c == labels[i] ? b : std::min(b, value);
    sum += std::max(a, b) > 0 ? (b - a) / std::max(a, b) : 0;
  }
  return sum / static_cast<double>(points.size());
}

/// The least squared error of any partition into at most k clusters: all of them are tried.
double least_error(const std::vector<Point2>& points, std::size_t k) {
  Labels2d labels(points.size(), 0);
  double least = std::numeric_limits<double>::infinity();
  for (;;) {
    const std::set<std::size_t> used(labels.begin(), labels.end());
    if (*used.rbegin() + 1 == used.size()) least = std::min(least, squared_error_2d(points, labels));
    std::size_t at = 0;
    while (at < labels.size() && ++labels[at] == k) labels[at++] = 0;
    if (at == labels.size()) return least;
  }
}

TEST(Silhouette2d, EqualsTheDefinition) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto points = some_points(23, seed);
    for (std::size_t k = 1; k <= 6; ++k) {
      const auto labels = kmeans_2d(points, k);
      EXPECT_NEAR(silhouette_2d(points, labels), slow_silhouette(points, labels), 1e-12) << seed << ", K " << k;
      Labels2d bad;
      for (std::size_t i = 0; i < points.size(); ++i) bad.push_back(i % k);
      EXPECT_NEAR(silhouette_2d(points, bad), slow_silhouette(points, bad), 1e-12) << seed << ", K " << k;
    }
  }
}

// Points on a line have the silhouette that the numbers have: {0, 1} {10} is 161/270 (by hand, in silhouette.cpp).
TEST(Silhouette2d, OnALineEqualsTheOneOfNumbers) {
  const std::vector<Point2> points = {{0, 0}, {1, 0}, {10, 0}};
  EXPECT_DOUBLE_EQ(silhouette_2d(points, {0, 0, 1}), 161.0 / 270.0);
  std::vector<double> numbers;
  std::vector<Point2> diagonal;
  for (const auto& point : some_points(30, 5)) {
    numbers.push_back(5 * point.x);
    diagonal.push_back({3 * point.x, 4 * point.x});
  }
  const SortedValues sorted = sort_values(numbers);
  const ClusterStarts starts = {0, 9, 20};
  Labels2d labels;
  for (const auto place : sorted.of_input) labels.push_back(place < 9 ? 0 : place < 20 ? 1 : 2);
  EXPECT_NEAR(silhouette_2d(diagonal, labels), mean_silhouette(sorted, starts), 1e-12);
}

// The starts are enough for as many points as a profile has kernels: no partition is better.
TEST(KMeans2d, FindsTheBestPartition) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto points = some_points(8, 100 + seed);
    for (std::size_t k = 1; k <= 4; ++k) {
      EXPECT_NEAR(squared_error_2d(points, kmeans_2d(points, k)), least_error(points, k), 1e-12) << seed << ", K " << k;
    }
  }
}

// As many clusters as distinct points at most, without gaps in the numbers.
TEST(KMeans2d, HasNoMoreClustersThanDistinctPoints) {
  const std::vector<Point2> points = {{1, 1}, {2, 2}, {1, 1}, {2, 2}, {1, 1}};
  EXPECT_EQ(kmeans_2d(points, 4), (Labels2d{0, 1, 0, 1, 0}));
  EXPECT_EQ(kmeans_2d(points, 1), (Labels2d{0, 0, 0, 0, 0}));
  EXPECT_TRUE(kmeans_2d({}, 3).empty());
}

// Every point can become a center: as many clusters as points leave no error, wherever the first center was drawn.
TEST(KMeans2d, AnyPointCanBeACenter) {
  const auto points = some_points(150, 7);
  EXPECT_EQ(squared_error_2d(points, kmeans_2d(points, points.size())), 0);
}

}  // namespace
}  // namespace palstudy
