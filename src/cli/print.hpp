// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace palstudy {

/// Prints text for people to standard output. It may hold names of files from elsewhere: what a terminal would obey is
/// shown (`shown_lines`).
void print_text(std::string_view text);

}  // namespace palstudy
