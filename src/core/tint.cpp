// SPDX-License-Identifier: MIT
#include "core/tint.hpp"

#include <array>

namespace palstudy {
namespace {

// Code points for private use, U+E0F0 on: no text has a meaning for them.
constexpr std::string_view mark_begin = "\xee\x83";
constexpr char first_mark = '\xb0';
// In the order of Tint, and the end: green, red, yellow, bold, as usual.
constexpr std::array<std::string_view, 5> sequences = {"\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[1m", "\x1b[0m"};

std::string mark(std::size_t which) {
  return std::string(mark_begin) + static_cast<char>(first_mark + static_cast<char>(which));
}

}  // namespace

bool is_tint_mark(std::string_view text, std::size_t at) {
  if (text.substr(at, mark_begin.size()) != mark_begin || at + mark_begin.size() >= text.size()) return false;
  const auto which = static_cast<std::size_t>(text[at + mark_begin.size()] - first_mark);
  return which < sequences.size();
}

std::string tinted(std::string_view text, Tint tint) {
  std::string all;
  bool inside = false;
  for (const char c : text) {
    if (inside != (c != ' ')) {
      all += mark(inside ? sequences.size() - 1 : static_cast<std::size_t>(tint));
      inside = !inside;
    }
    all += c;
  }
  return inside ? all + mark(sequences.size() - 1) : all;
}

std::string with_colours(std::string_view text, bool terminal) {
  std::string all;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_tint_mark(text, at)) {
      all += text[at++];
      continue;
    }
    if (terminal) all += sequences.at(static_cast<std::size_t>(text[at + mark_begin.size()] - first_mark));
    at += tint_mark_bytes;
  }
  return all;
}

}  // namespace palstudy
