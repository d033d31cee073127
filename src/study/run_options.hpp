// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "study/keys/key.hpp"
#include "study/run_plan.hpp"

namespace palstudy {

/// The given values of one run with every other key filled in. A function of the values alone, and the same again for
/// its own result. Errors (usage): keys that contradict each other, a key that is missing.
[[nodiscard]] KeyValues fill_defaults(const KeyValues& given, const std::string& file);

/// The plan of a run with these completed values; number and axis values are the caller's.
[[nodiscard]] RunPlan make_plan(const KeyValues& values);

}  // namespace palstudy
