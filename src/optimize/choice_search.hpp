// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "optimize/choice_rows.hpp"

namespace palstudy {

/// When the search ends: as `MultipleChoiceLimits` says.
struct ChoiceSearchLimits {
  double relative_gap;
  std::uint32_t nodes, first_choices;
};

/// The multiple-choice knapsack by the prices of its linear relaxation, which splits no more rows than there are
/// capacities (Sinha and Zoltners, Operations Research 1979). At these prices every choice costs some more than the
/// best of its row; a solution that is better than one at hand only has choices that cost more by less than its
/// distance from the bound. Cbc searches among the best few of them, and among all of them if that leaves a gap. The
/// choice of each row goes to `chosen`, by its place in the row. Returns a bound that no choices undercut.
std::int64_t search_choices(const ChoiceRows& rows, const ChoiceSearchLimits& limits,
                            std::vector<std::uint32_t>& chosen);

}  // namespace palstudy
