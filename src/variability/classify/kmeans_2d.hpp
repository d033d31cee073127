// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace palstudy {

/// A place in the plane.
struct PlanePoint {
  double x = 0, y = 0;
  friend bool operator==(const PlanePoint&, const PlanePoint&) = default;
};

[[nodiscard]] double distance(const PlanePoint& a, const PlanePoint& b);

/// Which cluster each point is in: numbers from 0 without gaps.
using PlaneLabels = std::vector<std::size_t>;

/// The mean of each cluster.
[[nodiscard]] std::vector<PlanePoint> plane_centroids(std::span<const PlanePoint> points, const PlaneLabels& labels);
/// Sum of squared distances to the means.
[[nodiscard]] double plane_error(std::span<const PlanePoint> points, const PlaneLabels& labels);

/// K-means of points in the plane: Lloyd's algorithm from starts by K-means++ (Arthur & Vassilvitskii, SODA 2007), a
/// fixed number of them; the one with the least sum of squares, the first of equals. A function of the points and their
/// order. `k` from 1; distinct points fewer than k give a cluster each.
[[nodiscard]] PlaneLabels plane_kmeans(std::span<const PlanePoint> points, std::size_t k);

/// The mean silhouette (Rousseeuw 1987), by all distances; 0 for a point alone in its cluster, and for fewer than two
/// clusters. The same as `mean_silhouette` of numbers on a line.
[[nodiscard]] double plane_silhouette(std::span<const PlanePoint> points, const PlaneLabels& labels);

}  // namespace palstudy
