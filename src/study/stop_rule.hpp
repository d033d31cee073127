// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "study/parsed_study.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Reads `[stop]`, if it is there, and gives the axis of seeds as many values as its last look has: those that are
/// missing go on counting, from those of the axis or from the one seed of a study without such an axis; those beyond
/// the last look are left out, with a note. What the runs decide (`Look::runs`, `Look::resolved`) is left empty.
/// Errors (usage): a key without the other, several axes of seeds, seeds that cannot go on counting.
[[nodiscard]] std::optional<StopRule> take_stop_rule(ParsedStudy& parsed, std::vector<std::string>& notes);

/// Fills in the rest once the runs are known; `parsed` is the one that they were made of. Nothing without `[stop]`.
/// Errors (usage): nothing is compared.
void finish_stop_rule(const ParsedStudy& parsed, Study& study);

}  // namespace palstudy
