// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace palstudy {

/// Places behind the point (before it if negative) at which an error has its second digit: 2.7 has 1, 130 has -1. More
/// would be noise.
[[nodiscard]] int places_of_error(double error);
/// Rounded to so many places.
[[nodiscard]] std::string to_places(double value, int places);

}  // namespace palstudy
