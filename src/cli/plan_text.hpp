// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "study/study.hpp"

namespace palstudy {

/// The runs of a study with estimates of core time, memory and disk, as a table or as JSON. Checks all inputs. `quick`:
/// nothing is rehearsed.
[[nodiscard]] std::string plan_text(const Study& study, bool json, bool quick = false);

}  // namespace palstudy
