// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/comparison.hpp"
#include "stats/paired.hpp"
#include "stats/resampled.hpp"

namespace palstudy {

/// What several policies came to at the points of the other axes, seeds included. Their means are over the points at
/// which every policy makes a claim, since means over different seeds cannot be set side by side.
class CommonMeans {
 public:
  explicit CommonMeans(std::size_t policies) : seen_(policies) {}

  /// There is a run of a policy at this point, with what it came to, or none if it makes no claim.
  void add(std::size_t policy, std::uint32_t point, const std::optional<Observation>& value);

  /// The mean of each policy over those points; none of a policy without any claim.
  [[nodiscard]] std::vector<PolicyMean> means(const std::string& metric,
                                              const std::vector<std::string>& policies) const;

  /// Sets means, n and n_of. A policy without any claim has no mean and takes no point from the others.
  void write_to(ComparisonRow& row, const std::optional<TraceSample>& resampled) const;

 private:
  /// At which every policy that makes any claim makes one.
  [[nodiscard]] std::vector<std::uint32_t> common_points() const;

  std::set<std::uint32_t> points_;
  std::vector<std::map<std::uint32_t, Observation>> seen_;  ///< by policy, then point
};

/// Of the pairs by point of the axes that are pooled.
[[nodiscard]] AverageParts average_parts(const std::map<std::uint32_t, std::vector<Pair>>& by_point, Comparing how);

/// What a gain was made from.
struct ComparedPairs {
  std::vector<Pair> pairs;
  Comparing how;
};

/// Sets Holm's p and the intervals that hold together (Bonferroni), over all gains of a metric that have an interval.
/// `made_from` has one element for each gain of the groups, in their order.
void correct_for_comparisons(std::vector<ComparisonGroup>& groups, const std::string& metric,
                             const std::vector<ComparedPairs>& made_from);

}  // namespace palstudy
