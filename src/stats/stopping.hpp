// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "stats/paired.hpp"

namespace palstudy {

/// The first look of a stopping rule may not come earlier: with fewer seeds the spread is known so badly that luck ends
/// studies too early, and the interval then holds the truth less often than it says.
inline constexpr std::size_t least_first_look = 20;

/// Whether the 95 % interval of the ratio is at most `relative_half_width` to either side, on the scale of logarithms;
/// so it is where the seeds change nothing, and never where there is no interval for another reason.
[[nodiscard]] bool narrow_enough(const Improvement& improvement, double relative_half_width);

/// The first look after `seeds`; none after the last.
[[nodiscard]] std::optional<std::size_t> next_look(const std::vector<std::size_t>& looks, std::size_t seeds);

}  // namespace palstudy
