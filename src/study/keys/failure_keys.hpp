// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "study/keys/keys.hpp"
#include "study/parsed_study.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The keys of [failures]. All but the model mean something only with one, and none has a constant default: runs
/// without a model keep the ids that they had before there were failures.
[[nodiscard]] std::vector<KeySpec> failure_keys();
/// Fills in what is missing where there is a model, and forgets the rest where there is none. Errors (usage): slow
/// places without places.
void complete_failures(Point& point);
/// Of a completed point.
[[nodiscard]] FailureKeys failures_of(const Point& point);

}  // namespace palstudy
