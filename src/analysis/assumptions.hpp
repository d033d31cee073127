// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "study/study.hpp"

namespace palstudy {

/// "assumes: order fifo; backfill none; ...": in one line the settings that a gain depends on most, and what each of
/// the baselines, placements or systems, does to running jobs, and what each system is.
[[nodiscard]] std::string assumptions_line(const Study& study, const std::vector<std::string>& baselines);

}  // namespace palstudy
