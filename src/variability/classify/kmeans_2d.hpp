// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace palstudy {

/// A place in the plane.
struct Point2 {
  double x = 0, y = 0;
  friend bool operator==(const Point2&, const Point2&) = default;
};

[[nodiscard]] double distance(const Point2& a, const Point2& b);

/// Which cluster each point is in: numbers from 0 without gaps.
using Labels2d = std::vector<std::size_t>;

/// The mean of each cluster.
[[nodiscard]] std::vector<Point2> centroids_2d(std::span<const Point2> points, const Labels2d& labels);
/// Sum of squared distances to the means.
[[nodiscard]] double squared_error_2d(std::span<const Point2> points, const Labels2d& labels);

/// K-means of points in the plane: Lloyd's algorithm from starts by K-means++ (Arthur & Vassilvitskii, SODA 2007), a
/// fixed number of them; the one with the least sum of squares, the first of equals. A function of the points and their
/// order. `k` from 1; distinct points fewer than k give a cluster each.
[[nodiscard]] Labels2d kmeans_2d(std::span<const Point2> points, std::size_t k);

/// The mean silhouette (Rousseeuw 1987), by all distances; 0 for a point alone in its cluster, and for fewer than two
/// clusters. The same as `mean_silhouette` of numbers on a line.
[[nodiscard]] double silhouette_2d(std::span<const Point2> points, const Labels2d& labels);

}  // namespace palstudy
