// SPDX-License-Identifier: MIT
#include "variability/slow_twins.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/random.hpp"

namespace palstudy::twin {
namespace {

double interval_error(const SortedValues& values, std::size_t first, std::size_t end) {
  double weight = 0, sum = 0, error = 0;
  for (std::size_t i = first; i < end; ++i) {
    weight += values.weight[i];
    sum += values.weight[i] * values.value[i];
  }
  for (std::size_t i = first; i < end; ++i) error += values.weight[i] * std::pow(values.value[i] - sum / weight, 2);
  return error;
}

}  // namespace

std::vector<double> some_values(std::size_t n, std::uint32_t distinct, std::uint64_t seed) {
  // Squares of uniform steps: dense below, sparse above, as slowdowns are.
  RandomStream random(seed, Purpose::cluster_draw, n);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(0.9 + std::pow(random.below(distinct) / double(distinct), 2));
  return values;
}

std::vector<std::size_t> labels(const SortedValues& values, const ClusterStarts& starts) {
  std::vector<std::size_t> label;
  for (const std::uint32_t place : values.of_input) {
    std::size_t cluster = 0;
    while (cluster + 1 < starts.size() && starts[cluster + 1] <= place) ++cluster;
    label.push_back(cluster);
  }
  return label;
}

double squared_error(const std::vector<double>& numbers, const std::vector<std::size_t>& label) {
  const std::size_t clusters = *std::max_element(label.begin(), label.end()) + 1;
  double error = 0;
  for (std::size_t c = 0; c < clusters; ++c) {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (label[i] == c) sum += numbers[i], ++count;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (label[i] == c) error += std::pow(numbers[i] - sum / count, 2);
    }
  }
  return error;
}

double least_squared_error_by_trial(const SortedValues& values, std::uint32_t k) {
  const std::function<double(std::size_t, std::uint32_t)> rest = [&](std::size_t first, std::uint32_t left) {
    if (left == 1) return interval_error(values, first, values.size());
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t end = first + 1; end + left - 1 <= values.size(); ++end) {
      least = std::min(least, interval_error(values, first, end) + rest(end, left - 1));
    }
    return least;
  };
  return rest(0, k);
}

double least_squared_error(const SortedValues& values, std::uint32_t k) {
  const std::size_t n = values.size();
  std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
  best[0] = 0;
  for (std::uint32_t c = 0; c < k; ++c) {
    std::vector<double> next(n + 1, std::numeric_limits<double>::infinity());
    for (std::size_t end = 1; end <= n; ++end) {
      for (std::size_t first = 0; first < end; ++first) {
        if (std::isinf(best[first])) continue;
        next[end] = std::min(next[end], best[first] + interval_error(values, first, end));
      }
    }
    best = next;
  }
  return best[n];
}

double mean_silhouette(const std::vector<double>& numbers, const std::vector<std::size_t>& label) {
  const std::size_t clusters = *std::max_element(label.begin(), label.end()) + 1;
  if (clusters < 2) return 0;
  double total = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::vector<double> distance(clusters, 0), others(clusters, 0);
    for (std::size_t j = 0; j < numbers.size(); ++j) {
      if (j == i) continue;
      distance[label[j]] += std::abs(numbers[i] - numbers[j]);
      ++others[label[j]];
    }
    if (others[label[i]] == 0) continue;
    const double inside = distance[label[i]] / others[label[i]];
    double outside = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < clusters; ++c) {
      if (c != label[i]) outside = std::min(outside, distance[c] / others[c]);
    }
    total += (outside - inside) / std::max(outside, inside);
  }
  return total / static_cast<double>(numbers.size());
}

}  // namespace palstudy::twin
