// SPDX-License-Identifier: MIT
#include "core/wrapped_text.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "core/text.hpp"

namespace palstudy {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
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
  for (const std::string& line : wrapped(text, columns)) {
    if (!line.empty()) spdlog::info("{}", line);
  }
}

}  // namespace palstudy
