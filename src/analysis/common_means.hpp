// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "analysis/comparison.hpp"
#include "stats/resampled.hpp"

namespace palstudy {

/// What several policies came to at the points of the other axes, seeds included. Their means are over the points at
/// which every policy makes a claim, since means over different seeds cannot be set side by side.
class CommonMeans {
 public:
  explicit CommonMeans(std::size_t policies) : seen_(policies) {}

  /// There is a run of a policy at this point, with what it came to, or none if it makes no claim.
  void add(std::size_t policy, std::uint32_t point, const std::optional<Observation>& value);

  /// Sets means, n and n_of. A policy without any claim has no mean and takes no point from the others.
  void write_to(ComparisonRow& row, const std::optional<TraceSample>& resampled) const;

 private:
  std::set<std::uint32_t> points_;
  std::vector<std::map<std::uint32_t, Observation>> seen_;  ///< by policy, then point
};

}  // namespace palstudy
