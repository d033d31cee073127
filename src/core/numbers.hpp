// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

namespace palstudy {

/// The value of a real that does not exist: the time of an event that has not happened, a value that was not measured.
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Later, larger or dearer than anything that is.
inline constexpr double infinity = std::numeric_limits<double>::infinity();
/// Seconds in a minute, an hour and a day.
inline constexpr double minute_s = 60, hour_s = 3600, day_s = 86400;
/// Bytes in a MiB.
inline constexpr double mib = 1024.0 * 1024.0;

}  // namespace palstudy
