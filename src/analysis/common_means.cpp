// SPDX-License-Identifier: MIT
#include "analysis/common_means.hpp"

#include <algorithm>

#include "analysis/replications.hpp"

namespace palstudy {

void CommonMeans::add(std::size_t policy, std::uint32_t point, const std::optional<Observation>& value) {
  points_.insert(point);
  if (value) seen_[policy].emplace(point, *value);
}

void CommonMeans::write_to(ComparisonRow& row, const std::optional<TraceSample>& resampled) const {
  row.n_of = points_.size();
  std::vector<std::uint32_t> common;
  for (const std::uint32_t point : points_) {
    const auto has = [&](const auto& policy) { return policy.empty() || policy.contains(point); };
    if (std::all_of(seen_.begin(), seen_.end(), has)) common.push_back(point);
  }
  const bool none = std::all_of(seen_.begin(), seen_.end(), [](const auto& policy) { return policy.empty(); });
  row.n = none ? 0 : common.size();
  for (const auto& policy : seen_) {
    std::vector<Observation> values;
    for (std::size_t i = 0; i < row.n && !policy.empty(); ++i) values.push_back(policy.at(common[i]));
    row.means.push_back(mean_over_seeds(values, resampled));
  }
}

}  // namespace palstudy
