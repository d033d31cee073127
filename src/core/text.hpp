// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace palstudy {

/// The candidate within edit distance max(2, a third of the word) of `word`, nearest first, for "did you mean"; or
/// nothing.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// What a message on an unknown word ends with: `; did you mean "x"?` with the nearest candidate, or "".
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> candidates);

/// "a, b, c"; empty for none.
[[nodiscard]] std::string join(std::span<const std::string> words, std::string_view separator = ", ");

/// The parts of `text` that `separator` ends or parts; by default its lines.
[[nodiscard]] std::vector<std::string> split(const std::string& text, char separator = '\n');

/// `text` with `to` in place of each `from`.
[[nodiscard]] std::string replaced(std::string text, std::string_view from, std::string_view to);

/// With a comma before each three digits: 4,985.
[[nodiscard]] std::string grouped(std::size_t count);

/// "1 run", "0 runs", "10,800 runs".
[[nodiscard]] std::string counted(std::size_t count, std::string_view what);

/// "95 s", "3 min", "2 h 5 min", rounded up.
[[nodiscard]] std::string duration_text(double seconds);

/// Three digits, or all before the point where these are more, and no exponent then: 0.728, 17521.
[[nodiscard]] std::string in_digits(double value);
/// "0.728 MiB", "17521 MiB".
[[nodiscard]] std::string mib_text(double mib);

/// The whole of `text` as a number, correctly rounded; nothing if it is anything else (a NaN or an infinity is a
/// number).
[[nodiscard]] std::optional<double> parse_double(std::string_view text);
[[nodiscard]] std::optional<long long> parse_integer(std::string_view text);
/// Whether `text` is a whole number that 64 bits do not hold, so that a message need not call it none.
[[nodiscard]] bool beyond_64_bits(std::string_view text);

/// The shortest text that reads back as the same double: 360, 0.1, nan, inf.
[[nodiscard]] std::string shortest(double value);

/// `text` as one CSV field, in quotes where it needs them.
[[nodiscard]] std::string csv_field(std::string_view text);

/// `text` as one word of a POSIX shell, in single quotes where it needs them, so that a printed command can be run.
[[nodiscard]] std::string shell_word(std::string_view text);

/// "%2F" for a slash, so that any text can name a link of an HDF5 file.
[[nodiscard]] std::string link_name(const std::string& text);
/// The inverse.
[[nodiscard]] std::string unlink_name(const std::string& link);

}  // namespace palstudy
