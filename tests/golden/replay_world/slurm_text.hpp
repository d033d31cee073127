// SPDX-License-Identifier: MIT
#pragma once

#include <regex>
#include <string>

namespace palstudy::replay {

/// `use(match)` for each match of a pattern in a text; ^ and $ are ends of lines.
template <class Use>
void for_each_match(const std::string& text, const std::string& pattern, Use use) {
  const std::regex expression(pattern, std::regex::ECMAScript | std::regex::multiline);
  for (auto at = std::sregex_iterator(text.begin(), text.end(), expression); at != std::sregex_iterator(); ++at)
    use(*at);
}

}  // namespace palstudy::replay
