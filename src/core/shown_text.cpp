// SPDX-License-Identifier: MIT
#include "core/shown_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace palstudy {
namespace {

/// One character of UTF-8; bytes that are none are characters of their own.
struct Character {
  char32_t code;
  std::size_t bytes;
  bool valid;
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const Character alone{lead, 1, lead < 0x80};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return alone;
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return alone;
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < least[bytes] || code > 0x10FFFF || surrogate ? alone : Character{code, bytes, true};
}

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

/// Line and paragraph separators, and the marks, embeddings, overrides and isolates of the bidirectional algorithm.
bool turns_or_breaks(char32_t code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string shown_but(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character one = first_of(text);
    const std::string_view bytes = text.substr(0, one.bytes);
    if (!one.valid) {
      out += fmt::format("\\x{{{:x}}}", static_cast<unsigned>(one.code));
    } else if ((is_control(one.code) || turns_or_breaks(one.code)) && kept.find(bytes) == std::string_view::npos) {
      out += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(one.code));
    } else {
      out += bytes;
    }
    text.remove_prefix(one.bytes);
  }
  return out;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character one = first_of(text);
    if (!one.valid) return false;
    text.remove_prefix(one.bytes);
  }
  return true;
}

std::string shown(std::string_view text) { return shown_but(text, ""); }

std::string shown_lines(std::string_view text) { return shown_but(text, "\n\t"); }

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
