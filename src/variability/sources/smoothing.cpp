// SPDX-License-Identifier: MIT
#include "variability/sources/smoothing.hpp"

#include <algorithm>
#include <cmath>

#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

constexpr double iqr_of_normal = 1.34;
constexpr double bodies_in_limit = 1.25;  // further out nothing is taken for noise alone
constexpr double most_noise = 0.6;        // of the body, whatever the runs say: below that, reliability warns

/// The correlation of ranks, so that a few faulty nodes do not rule it; 0 if it is negative or cannot be estimated.
double shared_in_node(const std::vector<std::vector<double>>& nodes, const std::vector<double>& all) {
  const auto ranks = mean_ranks(all);
  std::vector<std::vector<double>> groups;
  std::size_t next = 0;
  for (const auto& node : nodes) {
    groups.emplace_back();
    for (std::size_t i = 0; i < node.size(); ++i) groups.back().push_back(ranks[next++]);
  }
  const double shared = within_group_correlation(groups);
  return shared > 0 ? std::min(shared, 1.0) : 0;
}

}  // namespace

double Smoothing::shrunk(double log_slowdown) const {
  const double body = std::clamp(log_slowdown - centre, -limit, limit);
  return log_slowdown - (1 - shrink) * body;
}

Smoothing choose_smoothing(const std::vector<std::vector<double>>& nodes, double run_sd, double runs) {
  std::vector<double> all;
  for (const auto& node : nodes) all.insert(all.end(), node.begin(), node.end());
  const auto ascending = sorted(all);
  const double iqr = sorted_quantile(ascending, 0.75) - sorted_quantile(ascending, 0.25);
  const double width = std::min(plain_sd(all), iqr / iqr_of_normal);
  Smoothing smoothing;
  smoothing.centre = sorted_quantile(ascending, 0.5);
  if (!(width > 0)) return smoothing;  // all alike: nothing to smooth
  const double bandwidth = 0.5 * 0.9 * width * std::pow(static_cast<double>(all.size()), -0.2);
  const double noise = std::min(most_noise * width, std::max(bandwidth, run_sd / std::sqrt(runs)));
  smoothing.shrink = std::sqrt(std::max(0.0, 1 - noise * noise / (width * width)));
  smoothing.limit = bodies_in_limit * width;
  const double shared = shared_in_node(nodes, all);
  smoothing.node_sd = noise * std::sqrt(shared);
  smoothing.gpu_sd = noise * std::sqrt(1 - shared);
  return smoothing;
}

}  // namespace palstudy
