// SPDX-License-Identifier: MIT
#include "core/wrapped_text.hpp"

#include <spdlog/spdlog.h>

#include "core/shown_text.hpp"
#include "core/text.hpp"

namespace palstudy {

std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const bool mark = is_tint_mark(text, at);
    width += !mark && (text[at] & 0xC0) != 0x80 ? 1 : 0;
    at += mark ? tint_mark_bytes : 1;
  }
  return width;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t columns) {
  std::vector<std::string> lines = {""};
  for (std::string word : split(text, ' ')) {
    std::string& last = lines.back();
    if (!last.empty() && width_of(last) + 1 + width_of(word) <= columns) {
      last += " " + word;
      continue;
    }
    if (!last.empty()) lines.emplace_back();
    while (width_of(word) > columns) {
      std::size_t cut = columns;
      while (cut < word.size() && (word[cut] & 0xC0) == 0x80) ++cut;
      lines.back() = word.substr(0, cut);
      word.erase(0, cut);
      lines.emplace_back();
    }
    lines.back() = word;
  }
  return lines;
}

void log_wrapped(const std::string& text) {
  constexpr std::size_t columns = 80;
  const std::string below_prefix(std::string("[00:00:00] info: ").size(), ' ');
  if (!text.empty()) spdlog::info("{}", join(wrapped(text, columns), "\n" + below_prefix));
}

}  // namespace palstudy
