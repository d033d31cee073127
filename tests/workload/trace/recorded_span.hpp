// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "workload/job.hpp"

namespace palstudy {

/// From the start to the end, to be compared: `held_s` may be NaN.
using RecordedSpan = std::pair<double, double>;
inline RecordedSpan span_of(const RecordedTimes& times) { return {times.start_s, times.end_s}; }

}  // namespace palstudy
