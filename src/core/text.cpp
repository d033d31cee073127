// SPDX-License-Identifier: MIT
#include "core/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <sstream>

namespace palstudy {
namespace {

/// Between words whose case does not count.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const auto near = nearest(word, candidates);
  return near ? fmt::format("; did you mean \"{}\"?", *near) : "";
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(std::move(part));
  return parts;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string grouped(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 120) return fmt::format("{} s", whole);
  const std::int64_t minutes = (whole + 59) / 60;
  if (minutes < 120) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string in_digits(double value) {
  return std::abs(value) < 999.5 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}
std::string mib_text(double size_mib) { return in_digits(size_mib) + " MiB"; }

std::optional<double> parse_double(std::string_view text) { return parse_whole<double>(text); }
std::optional<long long> parse_integer(std::string_view text) { return parse_whole<long long>(text); }

bool beyond_64_bits(std::string_view text) {
  const auto digits = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos &&
         !parse_whole<long long>(text.substr(text.starts_with('+') ? 1 : 0));
}

std::string shortest(double value) { return fmt::format("{}", value); }

std::string csv_field(std::string_view text) {
  constexpr std::string_view spaces = " \t";  // around a field without quotes they do not count
  const bool padded = !text.empty() && (spaces.find(text.front()) != std::string_view::npos ||
                                        spaces.find(text.back()) != std::string_view::npos);
  if (!padded && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view special = " \t\r\n\"'`$*?[]{}()<>|&;\\~#!^";
  if (!text.empty() && text.find_first_of(special) == std::string_view::npos) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string link_name(const std::string& text) {
  std::string link;
  for (const char c : text) {
    if (c == '/' || c == '%') {
      link += c == '/' ? "%2F" : "%25";
    } else {
      link += c;
    }
  }
  return link == "." ? "%2E" : link;
}

std::string unlink_name(const std::string& link) {
  std::string text;
  for (std::size_t i = 0; i < link.size(); ++i) {
    const std::string code = link.substr(i, 3);
    const char plain = code == "%2F" ? '/' : code == "%25" ? '%' : code == "%2E" ? '.' : '\0';
    text += plain == '\0' ? link[i] : plain;
    if (plain != '\0') i += 2;
  }
  return text;
}

}  // namespace palstudy
