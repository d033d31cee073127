// SPDX-License-Identifier: MIT
#include "core/shown_text.hpp"

#include <fmt/format.h>

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

std::string shown(std::string_view text) { return shown_but(text, ""); }

std::string shown_lines(std::string_view text) { return shown_but(text, "\n\t"); }

}  // namespace palstudy
