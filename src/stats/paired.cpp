// SPDX-License-Identifier: MIT
#include "stats/paired.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include "core/error.hpp"

namespace palstudy {
namespace {

double log_ratio(const Pair& pair) {
  return pair.policy == pair.baseline ? 0.0 : std::log(pair.policy / pair.baseline);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Mean log-ratio of each replication, by replication.
std::vector<double> replication_means(std::span<const Pair> pairs) {
  std::map<std::size_t, std::vector<double>> logs;
  for (const Pair& pair : pairs) logs[pair.replication].push_back(log_ratio(pair));
  std::vector<double> means;
  for (const auto& [replication, values] : logs) means.push_back(mean(values));
  return means;
}

double half_width(const std::vector<double>& values) {
  const double centre = mean(values), n = static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  const double t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
  return t * std::sqrt(squares / (n - 1) / n);
}

}  // namespace

bool comparable(double policy, double baseline) {
  if (!std::isfinite(policy) || !std::isfinite(baseline)) return false;
  return (policy > 0 && baseline > 0) || (policy == 0 && baseline == 0);
}

Improvement improvement(std::span<const Pair> pairs) {
  if (pairs.empty()) throw fault("a comparison of no pairs");
  Improvement result;
  result.pairs = pairs.size();
  result.least = std::numeric_limits<double>::infinity();
  result.most = -result.least;
  for (const Pair& pair : pairs) {
    const double gain = 1 - std::exp(log_ratio(pair));
    result.least = std::min(result.least, gain);
    result.most = std::max(result.most, gain);
  }
  const auto means = replication_means(pairs);
  result.replications = means.size();
  const double centre = mean(means);
  result.mean = 1 - std::exp(centre);
  if (means.size() < least_replications) {
    result.no_interval =
        fmt::format("{} of at least {} replications (combinations of seeds)", means.size(), least_replications);
    return result;
  }
  const double half = half_width(means);
  result.low = 1 - std::exp(centre + half);
  result.high = 1 - std::exp(centre - half);
  return result;
}

}  // namespace palstudy
