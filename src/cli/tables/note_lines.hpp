// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "analysis/comparison.hpp"

namespace palstudy {

/// The notes of these ids, a line each.
[[nodiscard]] std::string lines_of(const Comparison& comparison, std::initializer_list<std::string_view> ids);
/// Those on the load, which stand above the tables.
[[nodiscard]] std::string load_lines(const Comparison& comparison);
/// Those that stand nowhere else, as warnings, with what the run said of its inputs.
[[nodiscard]] std::string warning_lines(const Comparison& comparison);

}  // namespace palstudy
