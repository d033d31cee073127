// SPDX-License-Identifier: MIT
#include "variability/binning/silhouette.hpp"

#include <algorithm>
#include <limits>

namespace palstudy {
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
