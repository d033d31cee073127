// SPDX-License-Identifier: MIT
#pragma once

#include "study/keys/keys.hpp"
#include "study/parsed_study.hpp"
#include "workload/synthetic/resample.hpp"

namespace palstudy {

inline constexpr const char* resample_name = "workload.resample";

/// workload.resample. It has no constant default, so that runs without keep their ids.
[[nodiscard]] KeySpec resample_key();
/// Forgets "none". Errors (usage): nothing to draw from, or jobs are measured by their numbers, which change.
void complete_resample(Point& point);
/// Of a completed point.
[[nodiscard]] Resampling resampling_of(const Point& point);

}  // namespace palstudy
