// SPDX-License-Identifier: MIT
#include "variability/binning/bins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "variability/binning/kmeans_1d.hpp"

namespace palstudy {
namespace {

constexpr std::uint32_t least_by_silhouette = 2;
constexpr std::uint32_t most_by_silhouette = 10;
constexpr std::size_t outliers_with_a_bin_each = 3;
/// So many distinct values are clustered exactly; of more, neighbours are joined first.
constexpr std::size_t most_clustered_exactly = 65536;

void check(const BinRule& rule, std::size_t gpus) {
  if (rule.bins > max_bins) {
    throw usage_error(fmt::format("{} bins are more than {}", rule.bins, max_bins), "cluster.bins",
                      "ask for fewer, or for \"silhouette\"");
  }
  if (rule.single_outliers && gpus > max_gpus_with_single_outliers) {
    throw usage_error(fmt::format("outliers = \"single\" is for at most {} GPUs, this cluster has {}",
                                  max_gpus_with_single_outliers, gpus),
                      "cluster.outliers", "use outliers = \"binned\"");
  }
}

std::size_t count_below(const SortedValues& values, double limit) {
  return static_cast<std::size_t>(std::lower_bound(values.value.begin(), values.value.end(), limit) -
                                  values.value.begin());
}

// The number of distinct values up to mean + 3 s. Sums are taken from the least value, so that equal values have no
// spread at all.
std::size_t count_up_to_3_deviations(const SortedValues& values) {
  if (values.size() < 2) return values.size();
  const long double least = values.value.front();
  long double n = 0;
  long double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    n += values.weight[i];
    sum += values.weight[i] * (values.value[i] - least);
  }
  const long double mean = sum / n;
  long double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const long double d = values.value[i] - least - mean;
    squares += values.weight[i] * d * d;
  }
  const long double limit = least + mean + 3 * std::sqrt(squares / (n - 1));
  return static_cast<std::size_t>(
      std::upper_bound(values.value.begin(), values.value.end(), limit, [](long double a, double b) { return a < b; }) -
      values.value.begin());
}

SortedValues part(const SortedValues& values, std::size_t first, std::size_t end) {
  SortedValues some;
  some.value.assign(values.value.begin() + static_cast<std::ptrdiff_t>(first),
                    values.value.begin() + static_cast<std::ptrdiff_t>(end));
  some.weight.assign(values.weight.begin() + static_cast<std::ptrdiff_t>(first),
                     values.weight.begin() + static_cast<std::ptrdiff_t>(end));
  return some;
}

ClusterStarts cluster(const SortedValues& values, std::uint32_t k) { return KMeans1d(values, k).clusters(k); }

ClusterStarts cluster_ordinary(const SortedValues& ordinary, const BinRule& rule, std::uint32_t most) {
  if (ordinary.size() > most_clustered_exactly) {
    const GroupedValues joined = group_neighbours(ordinary, most_clustered_exactly);
    ClusterStarts starts = cluster_ordinary(joined.values, rule, most);
    for (std::uint32_t& start : starts) start = joined.first[start];
    return starts;
  }
  if (rule.bins == 0) return best_clusters(ordinary, least_by_silhouette, std::min(most_by_silhouette, most));
  return cluster(ordinary, std::min(rule.bins, most));
}

ClusterStarts cluster_outliers(const SortedValues& outliers, std::uint32_t most) {
  if (outliers.size() <= outliers_with_a_bin_each || most < least_by_silhouette) {
    return cluster(outliers, std::min(most, static_cast<std::uint32_t>(outliers_with_a_bin_each)));
  }
  return best_clusters(outliers, least_by_silhouette, most);
}

// The number of distinct values that are not outliers.
std::size_t count_ordinary(const SortedValues& values, const BinRule& rule, double outliers_from) {
  const std::size_t ordinary = count_up_to_3_deviations(values);
  const std::size_t unconfirmed = count_below(values, outliers_from);
  return rule.single_outliers || unconfirmed == 0 ? ordinary : std::min(ordinary, unconfirmed);
}

ClusterStarts cluster_all(const SortedValues& values, const BinRule& rule, double outliers_from) {
  const std::size_t ordinary = count_ordinary(values, rule, outliers_from);
  const bool outliers = ordinary < values.size();
  ClusterStarts starts =
      cluster_ordinary(part(values, 0, ordinary), rule, outliers && !rule.single_outliers ? max_bins - 1 : max_bins);
  if (!outliers) return starts;
  const SortedValues above = part(values, ordinary, values.size());
  const auto below = static_cast<std::uint32_t>(starts.size());
  if (rule.single_outliers) {
    std::uint32_t k = below;
    for (const std::uint32_t weight : above.weight) k += weight;
    return cluster(values, k);
  }
  for (const std::uint32_t start : cluster_outliers(above, max_bins - below)) {
    starts.push_back(static_cast<std::uint32_t>(ordinary) + start);
  }
  return starts;
}

double median_of_ascending(const std::vector<double>& values) {
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Values of the bins; two that rounding made equal become one, as values have to be distinct. `bin_of_cluster` tells.
std::vector<double> bin_values(const std::vector<double>& means, double median,
                               std::vector<std::uint16_t>& bin_of_cluster) {
  std::vector<double> values;
  for (const double mean : means) {
    const double value = mean / median;
    if (values.empty() || value > values.back()) values.push_back(value);
    bin_of_cluster.push_back(static_cast<std::uint16_t>(values.size() - 1));
  }
  return values;
}

std::vector<std::uint16_t> first_appearances(const ClassBins& bins) {
  std::vector<std::uint16_t> order;
  std::vector<bool> seen(bins.values.size(), false);
  for (const std::uint16_t bin : bins.of_gpu) {
    if (seen[bin]) continue;
    seen[bin] = true;
    order.push_back(bin);
    if (order.size() == seen.size()) break;
  }
  return order;
}

}  // namespace

ClassBins bin_class(std::span<const double> believed, const BinRule& rule, double outliers_from) {
  check(rule, believed.size());
  ClassBins bins;
  if (believed.empty()) return bins;
  const SortedValues sorted = sort_values(believed);
  const ClusterStarts starts = cluster_all(sorted, rule, outliers_from);
  std::vector<std::uint16_t> bin_of_cluster;
  const std::vector<double> means = centroids(sorted, starts);
  bins.median = median_of_ascending(means);
  bins.values = bin_values(means, bins.median, bin_of_cluster);

  std::vector<std::uint16_t> bin_of_value(sorted.size());
  for (std::size_t c = 0; c < starts.size(); ++c) {
    std::fill(bin_of_value.begin() + starts[c], bin_of_value.end(), bin_of_cluster[c]);
  }
  bins.of_gpu.reserve(believed.size());
  for (const std::uint32_t value : sorted.of_input) bins.of_gpu.push_back(bin_of_value[value]);
  bins.appearance = first_appearances(bins);
  return bins;
}

Bins::Bins(const Slowdowns& believed, const BinRule& rule, std::span<const double> outliers_from) {
  for (std::size_t c = 0; c < believed.classes(); ++c) {
    classes_.push_back(
        bin_class(believed.of(ClassId(c)), rule, outliers_from.empty() ? no_confirmed_outliers : outliers_from[c]));
  }
}

Bins Bins::slice(GpuId first, std::uint32_t count) const {
  std::vector<ClassBins> parts;
  for (const ClassBins& cls : classes_) {
    const auto begin = cls.of_gpu.begin() + static_cast<std::ptrdiff_t>(first.index());
    parts.push_back({cls.values, {begin, begin + count}, cls.appearance, cls.median});
  }
  return Bins(std::move(parts));
}

}  // namespace palstudy
