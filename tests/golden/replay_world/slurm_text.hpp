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

/// The value of a key of slurm.conf, "" if it is not there.
inline std::string value_in_conf(const std::string& conf, const std::string& key) {
  std::string value;
  for_each_match(conf, "^" + key + "=(\\S+)", [&](const std::smatch& match) { value = match[1]; });
  return value;
}

/// Seconds of a time as slurm.conf has it: minutes, or days-hours:minutes:seconds.
inline double slurm_seconds(const std::string& text) {
  std::smatch match;
  if (!std::regex_match(text, match, std::regex(R"((\d+)-(\d+)(?::(\d+))?(?::(\d+))?)"))) return 60 * std::stod(text);
  const auto part = [&](int i) { return match[i].matched ? std::stod(match[i]) : 0.0; };
  return ((part(1) * 24 + part(2)) * 60 + part(3)) * 60 + part(4);
}

}  // namespace palstudy::replay
