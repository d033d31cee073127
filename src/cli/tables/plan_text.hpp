// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "study/study.hpp"

namespace palstudy {

/// The points of a study (runs that differ in seeds alone) with what they cost in core time, memory and disk, as a
/// table; or all its runs as JSON. Checks all inputs. Simulates one seed of each point, for some ten seconds in all;
/// `quick`: nothing is simulated.
[[nodiscard]] std::string plan_text(const Study& study, bool json, bool quick = false);

}  // namespace palstudy
