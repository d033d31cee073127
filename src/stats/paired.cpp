// SPDX-License-Identifier: MIT
#include "stats/paired.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/error.hpp"

namespace palstudy {

namespace {

/// Wider ones, as a factor between the ends, come from resamples with hardly any spread, where most ratios are 1, and
/// say nothing.
constexpr double widest_interval = 10000;

double log_ratio(const Pair& pair) {
  return pair.policy == pair.baseline ? 0.0 : std::log(pair.policy / pair.baseline);
}

double gain(double ratio, const Comparing& how) { return how.larger_is_better ? ratio - 1 : 1 - ratio; }

void count_pairs(std::span<const Pair> pairs, const Comparing& how, Improvement& result) {
  result.pairs = pairs.size();
  result.least = std::numeric_limits<double>::infinity();
  result.most = -result.least;
  result.least_ratio = result.least;
  result.most_ratio = result.most;
  for (const Pair& pair : pairs) {
    const double ratio = std::exp(log_ratio(pair)), one = gain(ratio, how);
    result.least_ratio = std::min(result.least_ratio, ratio);
    result.most_ratio = std::max(result.most_ratio, ratio);
    result.least = std::min(result.least, one);
    result.most = std::max(result.most, one);
    if (one > 0) ++result.wins;
    if (one == 0) ++result.ties;
  }
}

std::optional<Interval> interval_of(const Grid& grid, std::span<const Observation> logs, const Comparing& how) {
  if (how.resampled) return student_interval(resampled_estimate(logs, *how.resampled), how.comparisons);
  const Estimate whole = estimate(grid);
  return how.by_bootstrap ? bootstrap_interval(grid, whole, how.comparisons) : student_interval(whole, how.comparisons);
}

void add_interval(const Interval& interval, const Comparing& how, Improvement& result) {
  result.ratio_low = std::exp(interval.low);
  result.ratio_high = std::exp(interval.high);
  const double a = gain(*result.ratio_low, how), b = gain(*result.ratio_high, how);
  result.low = std::min(a, b);
  result.high = std::max(a, b);
  result.p_value = interval.p_value;
}

IntervalMethod method(const Grid& grid, const Comparing& how) {
  if (how.resampled) return IntervalMethod::of_resamples;
  if (!grid.crossed()) return how.by_bootstrap ? IntervalMethod::bootstrap : IntervalMethod::student;
  return how.by_bootstrap ? IntervalMethod::crossed_bootstrap : IntervalMethod::crossed_student;
}

}  // namespace

bool comparable(double policy, double baseline) {
  if (!std::isfinite(policy) || !std::isfinite(baseline)) return false;
  return (policy > 0 && baseline > 0) || (policy == 0 && baseline == 0);
}

NoInterval no_interval(const Grid& grid) {
  if (grid.cells.size() > 1 && grid.constant()) return {Missing::no_change};
  if (!grid.crossed()) return too_few(grid.cells.size(), Missing::few_replications);
  const NoInterval clusters = too_few(grid.rows, Missing::few_clusters);
  return clusters ? clusters : too_few(grid.columns, Missing::few_workloads);
}

Improvement improvement(std::span<const Pair> pairs, const Comparing& how) {
  if (pairs.empty()) throw fault("a comparison of no pairs");
  Improvement result;
  count_pairs(pairs, how, result);
  std::vector<Observation> logs;
  for (const Pair& pair : pairs) logs.push_back({log_ratio(pair), pair.cluster, pair.workload});
  const Grid grid = make_grid(logs);
  result.replications = grid.cells.size();
  result.by = grid.by;
  if (grid.crossed()) {
    result.clusters = grid.rows;
    result.workloads = grid.columns;
  }
  double sum = 0;
  for (const auto& cell : grid.cells) sum += cell.value;
  result.ratio = std::exp(sum / static_cast<double>(grid.cells.size()));
  result.mean = gain(result.ratio, how);
  result.no_interval = no_interval(grid);
  if (how.resampled && !result.no_interval) result.no_interval = no_resampled_interval(logs, *how.resampled);
  if (result.no_interval) return result;
  result.method = method(grid, how);
  const auto interval = interval_of(grid, logs, how);
  if (!interval) {
    result.no_interval = {Missing::no_spread};
  } else if (interval->high - interval->low > std::log(widest_interval)) {
    result.no_interval = {Missing::few_decide};
  } else {
    add_interval(*interval, how, result);
  }
  return result;
}

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> corrected(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double p = p_values[order[i]] * static_cast<double>(order.size() - i);
    largest = std::min(1.0, std::max(largest, p));
    corrected[order[i]] = largest;
  }
  return corrected;
}

bool narrow_enough(const Improvement& improvement, double relative_half_width) {
  if (!improvement.ratio_low) return improvement.no_interval.why == Missing::no_change;
  return std::log(*improvement.ratio_high / *improvement.ratio_low) <= 2 * std::log1p(relative_half_width);
}

}  // namespace palstudy
