// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/comparison.hpp"

namespace palstudy {

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
