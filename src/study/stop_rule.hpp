// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "study/parsed_study.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Reads `[stop]`, if it is there, and gives the axis of seeds as many values as the last look has: missing seeds count
/// on from the last value of the axis, or from the one seed of a study without such an axis; seeds beyond the last look
/// are left out, with a note. `Look::runs` and `Look::resolved`, which depend on the runs, stay empty. Errors (usage):
/// a key without the other, several axes of seeds, seeds that cannot count on.
[[nodiscard]] std::optional<StopRule> take_stop_rule(ParsedStudy& parsed, std::vector<Note>& notes);

/// Fills in the rest once the runs are known; they were made from `parsed`, and `common` is in all. Does nothing
/// without `[stop]`. Errors (usage): nothing is compared.
void finish_stop_rule(const ParsedStudy& parsed, Study& study, const KeyValues& common);

}  // namespace palstudy
