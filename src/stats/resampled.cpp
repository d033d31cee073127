// SPDX-License-Identifier: MIT
#include "stats/resampled.hpp"

#include <cmath>
#include <map>
#include <vector>

namespace palstudy {
namespace {

/// The mean under each workload.
std::vector<double> workload_means(std::span<const Observation> observations) {
  std::map<std::size_t, std::pair<double, double>> sums;  // and how many
  for (const Observation& one : observations) {
    sums[one.workload].first += one.value;
    sums[one.workload].second += 1;
  }
  std::vector<double> means;
  for (const auto& [workload, sum] : sums) means.push_back(sum.first / sum.second);
  return means;
}

double variance(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) squares += (value - sum / n) * (value - sum / n);
  return squares / (n - 1);
}

}  // namespace

Estimate resampled_estimate(std::span<const Observation> observations, const TraceSample& trace) {
  const auto means = workload_means(observations);
  const Estimate mean = estimate(make_grid(observations));
  const double between = variance(means) * trace.widening;
  const double between_degrees = 1 / (1 / trace.degrees + 1 / (static_cast<double>(means.size()) - 1));
  const double error = mean.standard_error * mean.standard_error, sum = between + error;
  const double spread = between * between / between_degrees + error * error / mean.degrees;
  return {mean.centre, std::sqrt(sum), spread > 0 ? sum * sum / spread : between_degrees};
}

NoInterval no_resampled_interval(std::span<const Observation> observations, const TraceSample& trace) {
  const NoInterval blocks = too_few(trace.blocks, Missing::few_blocks);
  return blocks ? blocks : too_few(workload_means(observations).size(), Missing::few_resamples);
}

}  // namespace palstudy
