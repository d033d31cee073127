// SPDX-License-Identifier: MIT
#include "variability/classify/kmeans_2d.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.hpp"

namespace palstudy {
namespace {

constexpr std::uint64_t classifier_seed = 1;  // classes are properties of the data, not of a study
constexpr std::uint32_t start_count = 32;     // of few points: enough that the best is found
constexpr std::uint32_t max_steps = 1000;     // Lloyd's algorithm ends by itself; ties of rounding might not

double square(double x) { return x * x; }
double squared_distance(const Point2& a, const Point2& b) { return square(a.x - b.x) + square(a.y - b.y); }

std::size_t nearest(const std::vector<Point2>& centers, const Point2& point) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < centers.size(); ++c) {
    if (squared_distance(centers[c], point) < squared_distance(centers[best], point)) best = c;
  }
  return best;
}

/// The first center at random, each further one with a probability that grows with the squared distance to those there
/// are. Fewer than k where no point is left that is none.
std::vector<Point2> spread_centers(std::span<const Point2> points, std::size_t k, std::uint32_t start) {
  RandomStream random(classifier_seed, Purpose::classifier, (std::uint64_t{k} << 32) | start);
  std::vector<Point2> centers = {points[random.below(static_cast<std::uint32_t>(points.size()))]};
  std::vector<double> weight(points.size());
  while (centers.size() < k) {
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      weight[i] = squared_distance(points[i], centers[nearest(centers, points[i])]);
      sum += weight[i];
    }
    if (!(sum > 0)) break;
    double left = random.uniform() * sum;
    std::size_t chosen = points.size();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (weight[i] == 0) continue;
      chosen = i;  // the last of them, should rounding leave something over
      left -= weight[i];
      if (left < 0) break;
    }
    centers.push_back(points[chosen]);
  }
  return centers;
}

/// Numbers the clusters that have points from 0, in the order in which they are first met.
void close_gaps(Labels2d& labels) {
  constexpr auto none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> number(labels.size(), none);
  std::size_t next = 0;
  for (std::size_t& label : labels) {
    if (number[label] == none) number[label] = next++;
    label = number[label];
  }
}

Labels2d lloyd(std::span<const Point2> points, std::vector<Point2> centers) {
  Labels2d labels(points.size(), 0);
  for (std::uint32_t step = 0; step < max_steps; ++step) {
    Labels2d now;
    for (const Point2& point : points) now.push_back(nearest(centers, point));
    close_gaps(now);
    if (step > 0 && now == labels) break;
    labels = std::move(now);
    centers = centroids_2d(points, labels);
  }
  return labels;
}

}  // namespace

double distance(const Point2& a, const Point2& b) { return std::sqrt(squared_distance(a, b)); }

std::vector<Point2> centroids_2d(std::span<const Point2> points, const Labels2d& labels) {
  std::vector<Point2> means;
  std::vector<double> count;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (labels[i] >= means.size()) {
      means.resize(labels[i] + 1);
      count.resize(labels[i] + 1);
    }
    means[labels[i]].x += points[i].x;
    means[labels[i]].y += points[i].y;
    count[labels[i]] += 1;
  }
  for (std::size_t c = 0; c < means.size(); ++c) means[c] = {means[c].x / count[c], means[c].y / count[c]};
  return means;
}

double squared_error_2d(std::span<const Point2> points, const Labels2d& labels) {
  const auto means = centroids_2d(points, labels);
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) sum += squared_distance(points[i], means[labels[i]]);
  return sum;
}

Labels2d kmeans_2d(std::span<const Point2> points, std::size_t k) {
  Labels2d best;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t start = 0; start < start_count && !points.empty(); ++start) {
    Labels2d labels = lloyd(points, spread_centers(points, k, start));
    const double error = squared_error_2d(points, labels);
    if (error < least) {
      least = error;
      best = std::move(labels);
    }
  }
  return best;
}

double silhouette_2d(std::span<const Point2> points, const Labels2d& labels) {
  const std::size_t clusters = labels.empty() ? 0 : *std::ranges::max_element(labels) + 1;
  if (clusters < 2) return 0;
  std::vector<double> size(clusters);
  for (const std::size_t label : labels) size[label] += 1;
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (size[labels[i]] == 1) continue;
    std::vector<double> to(clusters);
    for (std::size_t j = 0; j < points.size(); ++j) to[labels[j]] += distance(points[i], points[j]);
    double own = 0, other = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < clusters; ++c) {
      if (c == labels[i]) {
        own = to[c] / (size[c] - 1);
      } else {
        other = std::min(other, to[c] / size[c]);
      }
    }
    const double most = std::max(own, other);
    if (most > 0) sum += (other - own) / most;
  }
  return sum / static_cast<double>(points.size());
}

}  // namespace palstudy
