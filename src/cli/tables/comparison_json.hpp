// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/comparison.hpp"

namespace palstudy {

/// All of a comparison as JSON, for programs: `palstudy.compare/2`, in which each value stands once.
[[nodiscard]] std::string comparison_json(const Comparison& comparison);

}  // namespace palstudy
