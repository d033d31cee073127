// SPDX-License-Identifier: MIT
#include "study/changed_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_options.hpp"

namespace palstudy {
namespace {

bool decides_service(const std::string& key) {
  static const std::vector<std::string> names = {keys::bins, keys::outliers, keys::outages, keys::partitions};
  constexpr std::array<std::string_view, 10> sections = {"engine.",  "failures.", "gang.",   "interference.",
                                                         "ladder.",  "network.",  "policy.", "power.",
                                                         "routing.", "tenants."};
  const Key* declared = find_key(key);
  if (key.ends_with("seed") || (declared != nullptr && declared->of_study)) return false;
  return std::find(names.begin(), names.end(), key) != names.end() ||
         std::any_of(sections.begin(), sections.end(), [&](auto section) { return key.starts_with(section); });
}

/// A file or a table of quotas can be long, and the resolved study has it.
std::string value_text(const TomlValue& value) {
  constexpr std::size_t most = 60;
  const std::string text = to_toml(value);
  return text.size() > most ? "..." : text;
}

/// The value that the key has where it is not given, nor any other of its table ("policy.locality.node"); "" where the
/// other keys do not go without it.
std::string default_text(KeyValues values, const std::string& key, const std::string& name) {
  const std::string table = key.substr(0, key.find('.', key.find('.') + 1));
  std::erase_if(values, [&](const auto& one) { return one.first == table || one.first.starts_with(table + "."); });
  try {
    const KeyValues filled = fill_defaults(values, name);
    const auto found = filled.find(key);
    return found == filled.end() ? "" : to_toml(found->second);
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

std::vector<std::string> changed_settings(const Study& study, const std::vector<std::string>& told) {
  const ParsedStudy parsed = parse_keys(parse_toml(study.resolved, study.name));
  std::vector<std::size_t> places;
  const KeyValues given = values_of(parsed, 0, places);
  const auto is_told = [&](const std::string& key) {
    return std::any_of(told.begin(), told.end(),
                       [&](const auto& one) { return key == one || key.starts_with(one + "."); });
  };
  std::vector<std::string> changed;
  for (const auto& [key, value] : parsed.base) {
    if (!decides_service(key) || is_told(key)) continue;
    if (default_text(given, key, study.name) == to_toml(value)) continue;
    changed.push_back(fmt::format("{} = {}", key, value_text(value)));
  }
  return changed;
}

}  // namespace palstudy
