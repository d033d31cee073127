// SPDX-License-Identifier: MIT
#include "variability/binning/kmeans_1d.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace palstudy {

SortedValues sort_values(std::span<const double> values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  SortedValues sorted;
  sorted.of_input.resize(values.size());
  for (const std::uint32_t i : order) {
    if (sorted.value.empty() || values[i] != sorted.value.back()) {
      sorted.value.push_back(values[i]);
      sorted.weight.push_back(0);
    }
    ++sorted.weight.back();
    sorted.of_input[i] = static_cast<std::uint32_t>(sorted.value.size() - 1);
  }
  return sorted;
}

GroupedValues group_neighbours(const SortedValues& values, std::size_t most) {
  GroupedValues joined;
  const std::size_t groups = std::min(most, values.size());
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t first = g * values.size() / groups, end = (g + 1) * values.size() / groups;
    long double sum = 0;
    std::uint32_t weight = 0;
    for (std::size_t i = first; i < end; ++i) {
      sum += static_cast<long double>(values.value[i]) * values.weight[i];
      weight += values.weight[i];
    }
    joined.first.push_back(static_cast<std::uint32_t>(first));
    joined.values.value.push_back(static_cast<double>(sum / weight));
    joined.values.weight.push_back(weight);
  }
  return joined;
}

KMeans1d::KMeans1d(const SortedValues& values, std::uint32_t max_k)
    : max_k_(static_cast<std::uint32_t>(std::min<std::size_t>(max_k, values.size()))), before_(values.size() + 1) {
  const std::size_t n = values.size();
  long double weight = 0;
  long double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    weight += values.weight[i];
    sum += static_cast<long double>(values.weight[i]) * values.value[i];
  }
  const long double mean = n == 0 ? 0 : sum / weight;
  for (std::size_t i = 0; i < n; ++i) {
    const long double w = values.weight[i];
    const long double x = values.value[i] - mean;
    before_[i + 1] = {before_[i].weight + w, before_[i].sum + w * x, before_[i].squares + w * x * x};
  }
  if (max_k_ < 2) return;

  std::vector<long double> previous(n);
  std::vector<long double> current(n);
  for (std::size_t j = 0; j < n; ++j) previous[j] = cost(0, j);
  for (std::uint32_t k = 2; k <= max_k_; ++k) {
    split_.emplace_back(n, 0U);
    Layer layer{previous, current, split_.back()};
    // Nothing is built upon the widest layer, so only its end is wanted.
    const std::size_t low = k == max_k_ ? n - 1 : k - 1;
    fill(layer, low, n - 1, k - 1, n - 1);
    std::swap(previous, current);
  }
}

long double KMeans1d::cost(std::size_t first, std::size_t last) const {
  const Before& a = before_[first];
  const Before& b = before_[last + 1];
  const long double sum = b.sum - a.sum;
  return std::max(0.0L, (b.squares - a.squares) - sum * sum / (b.weight - a.weight));
}

// The best split moves upwards with j: found for the middle, it bounds the search of both halves.
void KMeans1d::fill(Layer& layer, std::size_t low, std::size_t high, std::size_t least_split,
                    std::size_t most_split) const {
  const std::size_t middle = low + (high - low) / 2;
  std::size_t best = least_split;
  long double least = layer.previous[best - 1] + cost(best, middle);
  for (std::size_t split = least_split + 1; split <= std::min(middle, most_split); ++split) {
    const long double sum = layer.previous[split - 1] + cost(split, middle);
    if (sum < least) {
      least = sum;
      best = split;
    }
  }
  layer.cost[middle] = least;
  layer.split[middle] = static_cast<std::uint32_t>(best);
  if (middle > low) fill(layer, low, middle - 1, least_split, best);
  if (middle < high) fill(layer, middle + 1, high, best, most_split);
}

ClusterStarts KMeans1d::clusters(std::uint32_t k) const {
  ClusterStarts starts(std::min(k, max_k_), 0);
  std::size_t last = before_.size() - 2;
  for (std::size_t c = starts.size(); c-- > 1;) {
    starts[c] = split_[c - 1][last];
    last = starts[c] - 1;
  }
  return starts;
}

std::vector<double> centroids(const SortedValues& values, const ClusterStarts& starts) {
  std::vector<double> means;
  for (std::size_t c = 0; c < starts.size(); ++c) {
    const std::size_t end = c + 1 < starts.size() ? starts[c + 1] : values.size();
    // Measured from the first value, so that a cluster of equal values has exactly that value as its centroid.
    const long double first = values.value[starts[c]];
    long double weight = 0;
    long double sum = 0;
    for (std::size_t i = starts[c]; i < end; ++i) {
      weight += values.weight[i];
      sum += values.weight[i] * (values.value[i] - first);
    }
    means.push_back(static_cast<double>(first + sum / weight));
  }
  return means;
}

namespace {

struct Cluster {
  std::size_t first, end;
  long double weight, mean;
};

std::vector<Cluster> describe(const SortedValues& values, const ClusterStarts& starts) {
  std::vector<Cluster> clusters;
  for (std::size_t c = 0; c < starts.size(); ++c) {
    Cluster cluster{starts[c], c + 1 < starts.size() ? starts[c + 1] : values.size(), 0, 0};
    long double sum = 0;
    for (std::size_t i = cluster.first; i < cluster.end; ++i) {
      cluster.weight += values.weight[i];
      sum += static_cast<long double>(values.weight[i]) * values.value[i];
    }
    cluster.mean = sum / cluster.weight;
    clusters.push_back(cluster);
  }
  return clusters;
}

// The sum of the silhouettes of one cluster's numbers.
long double sum_of(const SortedValues& values, const Cluster& own, const Cluster* below, const Cluster* above) {
  if (own.weight == 1) return 0;
  long double total = 0;
  long double weight_before = 0;
  long double deviation_before = 0;  // sum of (value - own.mean) over the cluster's numbers before this one
  for (std::size_t i = own.first; i < own.end; ++i) {
    const long double x = values.value[i];
    const long double w = values.weight[i];
    const long double d = x - own.mean;
    // Those before are d * weight - deviations away in sum; those after likewise, and all deviations sum to zero.
    const long double weight_after = own.weight - weight_before - w;
    const long double deviation_after = -deviation_before - w * d;
    const long double distances = (d * weight_before - deviation_before) + (deviation_after - d * weight_after);
    const long double inside = std::max(0.0L, distances) / (own.weight - 1);
    long double outside = std::numeric_limits<long double>::infinity();
    if (below != nullptr) outside = std::min(outside, x - below->mean);
    if (above != nullptr) outside = std::min(outside, above->mean - x);
    total += w * (outside - inside) / std::max(outside, inside);
    weight_before += w;
    deviation_before += w * d;
  }
  return total;
}

}  // namespace

double mean_silhouette(const SortedValues& values, const ClusterStarts& starts) {
  if (starts.size() < 2) return 0;
  const auto clusters = describe(values, starts);
  long double total = 0;
  long double weight = 0;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    total += sum_of(values, clusters[c], c > 0 ? &clusters[c - 1] : nullptr,
                    c + 1 < clusters.size() ? &clusters[c + 1] : nullptr);
    weight += clusters[c].weight;
  }
  return static_cast<double>(total / weight);
}

ClusterStarts best_clusters(const SortedValues& values, std::uint32_t least_k, std::uint32_t most_k) {
  const KMeans1d kmeans(values, std::max(least_k, most_k));
  ClusterStarts best = kmeans.clusters(least_k);
  double greatest = mean_silhouette(values, best);
  for (std::uint32_t k = least_k + 1; k <= kmeans.max_k(); ++k) {
    ClusterStarts clusters = kmeans.clusters(k);
    const double silhouette = mean_silhouette(values, clusters);
    if (silhouette <= greatest) continue;
    greatest = silhouette;
    best = std::move(clusters);
  }
  return best;
}

}  // namespace palstudy
