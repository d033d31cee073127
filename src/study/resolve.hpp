// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "study/draft.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The given values of one run with every other key filled in. A function of the values alone, and the same again of
/// what it returns. Errors (usage): keys that contradict each other, something missing.
[[nodiscard]] Point complete(const Point& given, const std::string& file);

/// All keys sorted, values in their shortest form, paths as written: what a run's id is the hash of.
[[nodiscard]] std::string canonical_text(const Point& point);

/// The plan of a completed point; number and axis values are the caller's.
[[nodiscard]] RunPlan make_plan(const Point& point);

/// An estimate of what a run costs, in no unit, to take the most expensive runs first. The same everywhere.
[[nodiscard]] double estimate_cost(const RunPlan& plan);

/// The study as TOML with all keys and axes written out. It reads back to the same runs, ids and digest.
[[nodiscard]] std::string resolved_text(const Draft& draft, const Study& study);

}  // namespace palstudy
