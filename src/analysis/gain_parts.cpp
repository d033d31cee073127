// SPDX-License-Identifier: MIT
#include "analysis/gain_parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/replications.hpp"

namespace palstudy {

void CommonMeans::add(std::size_t policy, std::uint32_t point, const std::optional<Observation>& value) {
  points_.insert(point);
  if (value) seen_[policy].emplace(point, *value);
}

std::vector<std::uint32_t> CommonMeans::common_points() const {
  std::vector<std::uint32_t> common;
  for (const std::uint32_t point : points_) {
    const auto has = [&](const auto& policy) { return policy.empty() || policy.contains(point); };
    if (std::ranges::all_of(seen_, has)) common.push_back(point);
  }
  const bool none = std::ranges::all_of(seen_, [](const auto& policy) { return policy.empty(); });
  return none ? std::vector<std::uint32_t>() : common;
}

std::vector<PolicyMean> CommonMeans::means(const std::string& metric, const std::vector<std::string>& policies) const {
  const auto common = common_points();
  std::vector<PolicyMean> all(seen_.size());
  bool positive = true;
  for (const auto& policy : seen_) {
    for (const std::uint32_t point : common) positive = positive && (policy.empty() || policy.at(point).value > 0);
  }
  for (std::size_t p = 0; p < seen_.size(); ++p) {
    all[p].metric = metric;
    all[p].policy = policies.at(p);
    all[p].geometric = positive;
    if (seen_[p].empty() || common.empty()) continue;
    all[p].runs = common.size();
    double sum = 0;
    for (const std::uint32_t point : common) {
      sum += positive ? std::log(seen_[p].at(point).value) : seen_[p].at(point).value;
    }
    const double mean = sum / static_cast<double>(common.size());
    all[p].mean = positive ? std::exp(mean) : mean;
  }
  return all;
}

void CommonMeans::write_to(ComparisonRow& row, const std::optional<TraceSample>& resampled) const {
  row.n_of = points_.size();
  const auto common = common_points();
  row.n = common.size();
  for (const auto& policy : seen_) {
    std::vector<Observation> values;
    for (std::size_t i = 0; i < row.n && !policy.empty(); ++i) values.push_back(policy.at(common[i]));
    row.means.push_back(mean_over_seeds(values, resampled));
  }
}

AverageParts average_parts(const std::map<std::uint32_t, std::vector<Pair>>& by_point, Comparing how) {
  how.by_bootstrap = false;  // the sign needs no 2,000 resamples of each part
  AverageParts result;
  bool gains = false, losses = false;
  for (const auto& [point, pairs] : by_point) {
    const Improvement part = improvement(pairs, how);
    gains = gains || part.low.value_or(part.mean) > 0;
    losses = losses || part.high.value_or(part.mean) < 0;
    result.least = result.parts == 0 ? part.mean : std::min(result.least, part.mean);
    result.most = result.parts == 0 ? part.mean : std::max(result.most, part.mean);
    result.least_ratio = result.parts == 0 ? part.ratio : std::min(result.least_ratio, part.ratio);
    result.most_ratio = result.parts == 0 ? part.ratio : std::max(result.most_ratio, part.ratio);
    ++result.parts;
  }
  result.opposite = gains && losses;
  return result;
}

void correct_for_comparisons(std::vector<ComparisonGroup>& groups, const std::string& metric,
                             const std::vector<ComparedPairs>& made_from) {
  std::vector<std::pair<PolicyGain*, const ComparedPairs*>> family;
  std::vector<double> p_values;
  std::size_t place = 0;
  for (auto& group : groups) {
    for (auto& one : group.gains) {
      const ComparedPairs& own = made_from[place++];
      if (one.metric != metric || !one.gain || !one.gain->p_value) continue;
      family.emplace_back(&one, &own);
      p_values.push_back(*one.gain->p_value);
    }
  }
  const auto corrected = holm(p_values);
  for (std::size_t i = 0; i < family.size(); ++i) {
    const auto& [one, own] = family[i];
    Comparing how = own->how;
    how.comparisons = one->comparisons = family.size();
    one->p_adjusted = corrected[i];
    one->simultaneous = family.size() == 1 ? *one->gain : improvement(own->pairs, how);
  }
}

}  // namespace palstudy
