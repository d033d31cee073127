// SPDX-License-Identifier: MIT
#include "stats/descriptive.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/error.hpp"
#include "core/numbers.hpp"

namespace palstudy {

double median(std::vector<double> values) {
  if (values.empty()) throw fault("the median of nothing");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

namespace {

constexpr double sd_over_mad = 1.4826;  // of a normal sample: 1 / the upper quartile of the standard normal

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double robust_sd(const std::vector<double>& values) {
  const double middle = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - middle));
  return sd_over_mad * median(std::move(distances));
}

double plain_sd(std::span<const double> values) {
  const double middle = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> ascending(values.begin(), values.end());
  std::ranges::sort(ascending);
  return ascending;
}

std::vector<double> mean_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i + 1;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (std::size_t tied = i; tied < end; ++tied) ranks[order[tied]] = static_cast<double>(i + end + 1) / 2;
    i = end;
  }
  return ranks;
}

double rank_correlation(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) throw fault("a rank correlation of samples of different sizes");
  if (a.size() < 3) return nan;
  const auto x = mean_ranks(a), y = mean_ranks(b);
  const double middle = static_cast<double>(a.size() + 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - middle) * (y[i] - middle);
    xx += (x[i] - middle) * (x[i] - middle);
    yy += (y[i] - middle) * (y[i] - middle);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : nan;
}

double ks_distance(std::span<const double> a, std::span<const double> b) {
  const auto x = sorted(a), y = sorted(b);
  double largest = 0;
  std::size_t i = 0, j = 0;
  while (i < x.size() && j < y.size()) {
    const double at = std::min(x[i], y[j]);
    while (i < x.size() && x[i] == at) ++i;
    while (j < y.size() && y[j] == at) ++j;
    const double below_a = static_cast<double>(i) / static_cast<double>(x.size());
    const double below_b = static_cast<double>(j) / static_cast<double>(y.size());
    largest = std::max(largest, std::abs(below_a - below_b));
  }
  return largest;
}

double within_group_correlation(const std::vector<std::vector<double>>& groups) {
  double count = 0, sum = 0, squared_sizes = 0, used = 0;
  for (const auto& group : groups) {
    if (group.empty()) continue;
    const auto size = static_cast<double>(group.size());
    used += 1;
    count += size;
    squared_sizes += size * size;
    sum += std::accumulate(group.begin(), group.end(), 0.0);
  }
  if (used < 2 || count <= used) return nan;
  const double grand = sum / count;
  double between = 0, within = 0;
  for (const auto& group : groups) {
    if (group.empty()) continue;
    const double own = mean(group);
    between += static_cast<double>(group.size()) * (own - grand) * (own - grand);
    for (const double value : group) within += (value - own) * (value - own);
  }
  between /= used - 1;
  within /= count - used;
  const double size = (count - squared_sizes / count) / (used - 1);
  const double all = between + (size - 1) * within;
  return all > 0 ? (between - within) / all : nan;
}

Concentration held_by_fewest(std::vector<double> values, double share) {
  std::ranges::sort(values, std::greater<>());
  const double all = std::accumulate(values.begin(), values.end(), 0.0);
  Concentration held{0, values.size(), 0};
  double largest = 0;
  while (all > 0 && held.few < values.size() && largest <= share * all) largest += values[held.few++];
  if (all > 0) held.share = largest / all;
  return held;
}

Concentration held_by_largest(std::vector<double> values, double part) {
  const double under = std::ceil(part * static_cast<double>(values.size())) - 1;
  Concentration held{static_cast<std::size_t>(std::max(0.0, under)), values.size(), 0};
  const auto last = values.begin() + static_cast<std::ptrdiff_t>(held.few);
  std::partial_sort(values.begin(), last, values.end(), std::greater<>());
  const double largest = std::accumulate(values.begin(), last, 0.0);
  const double all = std::accumulate(last, values.end(), largest);
  if (all > 0) held.share = largest / all;
  return held;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? nan : std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace palstudy
