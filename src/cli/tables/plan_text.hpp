// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "study/study.hpp"

namespace palstudy {

/// What a study will cost in core time, memory and disk, with up to 15 points (runs that differ in seeds alone) as a
/// table, and what is to be known of its inputs, in lines of `columns`; or all its runs as JSON. Checks all inputs.
/// Simulates one seed of each point, for some ten seconds in all; `quick`: nothing is simulated.
[[nodiscard]] std::string plan_text(const Study& study, bool json, bool quick, std::size_t columns);

}  // namespace palstudy
