// SPDX-License-Identifier: MIT
#include "stats/paired.hpp"

#include <fmt/format.h>

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
  for (const Pair& pair : pairs) {
    const double one = gain(std::exp(log_ratio(pair)), how);
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

std::string method(const Grid& grid, const Comparing& how) {
  if (how.resampled) {
    const std::string& held = how.resampled->held;
    return fmt::format(
        "Student's t of the log-ratios with the variance between resamples of the trace, drawn from its {}: for other "
        "traces of its kind; more workload seeds do not narrow it{}",
        how.resampled->what,
        held.empty() ? "" : fmt::format("; simulated trials in which such intervals held the truth: {}", held));
  }
  if (!grid.crossed()) return how.by_bootstrap ? "bootstrap-t of the log-ratios" : "Student's t of the log-ratios";
  return fmt::format("{} of the log-ratios, {} cluster x {} workload seeds taken as crossed",
                     how.by_bootstrap ? "two-way bootstrap-t" : "Student's t with the two-way random-effects variance",
                     grid.rows, grid.columns);
}

std::string too_few(std::size_t seeds, const char* what) {
  return seeds < least_replications ? fmt::format("{} of at least {} {}", seeds, least_replications, what) : "";
}

}  // namespace

bool comparable(double policy, double baseline) {
  if (!std::isfinite(policy) || !std::isfinite(baseline)) return false;
  return (policy > 0 && baseline > 0) || (policy == 0 && baseline == 0);
}

std::string no_interval(const Grid& grid) {
  if (grid.cells.size() > 1 && grid.constant()) return "the seeds change nothing";
  if (!grid.crossed()) return too_few(grid.cells.size(), "replications (combinations of seeds)");
  const auto clusters = too_few(grid.rows, "cluster seeds");
  return clusters.empty() ? too_few(grid.columns, "workload seeds") : clusters;
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
  if (how.resampled && result.no_interval.empty()) result.no_interval = no_resampled_interval(logs, *how.resampled);
  result.seeds_change_nothing = grid.cells.size() > 1 && grid.constant();
  if (!result.no_interval.empty()) return result;
  result.method = method(grid, how);
  const auto interval = interval_of(grid, logs, how);
  if (!interval) {
    result.no_interval = "hardly any resample has a spread";
  } else if (interval->high - interval->low > std::log(widest_interval)) {
    result.no_interval = "few replications decide it: its ends would be over a factor of 10,000 apart";
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
  if (!improvement.ratio_low) return improvement.seeds_change_nothing;
  return std::log(*improvement.ratio_high / *improvement.ratio_low) <= 2 * std::log1p(relative_half_width);
}

}  // namespace palstudy
