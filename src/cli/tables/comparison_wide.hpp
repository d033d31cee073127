// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/comparison.hpp"

namespace palstudy {

/// Every mean at every point, and every gain with its ratio, both intervals, its worst and best pair and its p. Lines
/// are as long as they are.
[[nodiscard]] std::string comparison_wide(const Comparison& comparison);

}  // namespace palstudy
