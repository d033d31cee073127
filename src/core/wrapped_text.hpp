// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace palstudy {

/// How many columns a text takes on the screen: its code points, without the marks of `tinted`.
[[nodiscard]] std::size_t width_of(const std::string& text);
/// The words of `text` in lines of so many columns; a longer word is cut.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t columns);
/// Says it in the log as information, in lines that fit a screen of 100 columns. The time stands before the first; the
/// others begin below its text.
void log_wrapped(const std::string& text);

}  // namespace palstudy
