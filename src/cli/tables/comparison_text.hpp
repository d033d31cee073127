// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/comparison.hpp"

namespace palstudy {

/// Tables of means, and the gains over each baseline, for people.
[[nodiscard]] std::string comparison_text(const Comparison& comparison);
/// One line a group, policy and baseline: the gain, its interval, how many seeds.
[[nodiscard]] std::string comparison_brief(const Comparison& comparison);

}  // namespace palstudy
