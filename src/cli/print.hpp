// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace palstudy {

/// Prints text for people to standard output. It may hold names of files from elsewhere: what a terminal would obey is
/// shown (`shown_lines`). What is `tinted` has colours on a terminal, unless NO_COLOR is set.
void print_text(std::string_view text);

/// How many columns a line of the screen may have: those of the terminal (COLUMNS, or what it says itself), 100 at
/// most.
[[nodiscard]] std::size_t screen_columns();

}  // namespace palstudy
