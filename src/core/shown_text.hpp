// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace palstudy {

/// Whether all of a text is UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

/// `text` of any origin as a terminal may be given it, in one line: control characters, line ends, and characters that
/// turn the direction of writing are written as \u{1b}, bytes that are no UTF-8 as \x{ff}.
[[nodiscard]] std::string shown(std::string_view text);

/// The same of text of several lines: line feeds and tabs stay.
[[nodiscard]] std::string shown_lines(std::string_view text);

/// What colour stands for. A reader without colours loses nothing.
enum class Tint { better, worse, care, strong };

/// `text` with marks around each of its words, which take no column (`width_of`) and end as colours or as nothing.
[[nodiscard]] std::string tinted(std::string_view text, Tint tint);

/// The marks of `tinted` as sequences of an ANSI terminal, or taken out.
[[nodiscard]] std::string with_colours(std::string_view text, bool terminal);

/// Whether the bytes from `at` on are a mark; all are of the same length.
[[nodiscard]] bool is_tint_mark(std::string_view text, std::size_t at);
inline constexpr std::size_t tint_mark_bytes = 3;

}  // namespace palstudy
