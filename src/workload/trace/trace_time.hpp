// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

namespace palstudy {

inline constexpr double day_s = 86400;

/// "2017-10-07 01:11:39" as seconds since 1970-01-01 00:00:00 of the same clock, which has no zone and no leap seconds;
/// nothing if the text is anything else, or a time before. The T of ISO 8601 may stand between day and time.
[[nodiscard]] std::optional<double> calendar_s(std::string_view text);

/// 0 o'clock of the day in which `time_s` lies: where traces with dates have their time 0.
[[nodiscard]] double midnight_s(double time_s);

}  // namespace palstudy
