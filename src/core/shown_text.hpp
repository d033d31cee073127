// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace palstudy {

/// `text` of any origin as a terminal may be given it, in one line: control characters, line ends, and characters that
/// turn the direction of writing are written as \u{1b}, bytes that are no UTF-8 as \x{ff}.
[[nodiscard]] std::string shown(std::string_view text);

/// The same of text of several lines: line feeds and tabs stay.
[[nodiscard]] std::string shown_lines(std::string_view text);

}  // namespace palstudy
