// SPDX-License-Identifier: MIT
#include "study/resolved_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

/// Whether the default of a key that was not given stays the same if an axis grows, so that a campaign can go on.
bool follows_no_axis(const ParsedStudy& parsed, const std::string& name) {
  if (name.ends_with(".seed")) return false;  // they go on following `seed`
  const auto varies = [&](const std::string& other) {
    const auto inside = [&](const auto& axis) { return axis.first.starts_with(other + "."); };
    return is_on_axis(parsed, other) || std::ranges::any_of(parsed.axes, inside);
  };
  return std::ranges::none_of(find_key(name)->follows, varies);
}

std::string section_of(const std::string& key) {
  const auto dot = key.find('.');
  return dot == std::string::npos ? "" : key.substr(0, dot);
}

TomlValue list_of(const std::vector<std::string>& texts) {
  TomlValue list;
  list.kind = TomlValue::Kind::array;
  for (const auto& text : texts) list.items.push_back(TomlValue::of(text));
  return list;
}

/// Adds the keys of [measure] that some runs have and the first may lack.
void add_measured_keys(const ParsedStudy& parsed, const Study& study, KeyValues& values) {
  const auto add = [&](const std::string& key, const TomlValue& otherwise) {
    if (parsed.axes.contains(key)) return;
    const auto given = parsed.base.find(key);
    values.insert_or_assign(key, given == parsed.base.end() ? otherwise : given->second);
  };
  const auto any = [&](auto which) { return std::ranges::any_of(study.runs, which); };
  if (any([](const RunPlan& run) { return run.measured.initial_jobs; })) {
    add(keys::measure_initial, TomlValue::of(false));
  }
  const auto by_word = [](const RunPlan& run) { return run.measured.by == MeasuredBy::all; };
  if (any(by_word)) add(keys::measured_jobs, TomlValue::of(std::string(all_jobs)));
}

KeyValues resolved_values(const ParsedStudy& parsed, const Study& study, const KeyValues& common) {
  KeyValues values;
  for (const auto& [key, value] : common) {
    if (is_on_axis(parsed, key)) continue;
    if (parsed.base.contains(key) || follows_no_axis(parsed, key)) values.emplace(key, value);
  }
  values.insert_or_assign(keys::study_name, TomlValue::of(study.name));
  values.insert_or_assign(keys::study_title, TomlValue::of(study.title));
  for (const auto& [key, text] : {std::pair(keys::study_license, study.license),
                                  {keys::study_creator, study.creator},
                                  {keys::study_question, study.question}}) {
    if (text.empty()) values.erase(key);
    if (!text.empty()) values.insert_or_assign(key, TomlValue::of(text));
  }
  values.insert_or_assign(keys::metric, TomlValue::of(study.compare_metric));
  values.insert_or_assign(keys::checkpoint, TomlValue::of(study.checkpoint_s));
  add_measured_keys(parsed, study, values);  // run 0 may be one that they are not about
  if (study.stop) {
    values.insert_or_assign(keys::stop_metric, TomlValue::of(study.stop->metric));
    for (const std::string key : {keys::stop_width.name, keys::stop_looks.name})
      values.emplace(key, parsed.base.at(key));
  }
  values.erase(keys::baseline);
  if (!study.baselines.empty()) values.emplace(keys::baseline, list_of(study.baselines));
  return values;
}

}  // namespace

std::string sections_text(const KeyValues& values) {
  std::string text, section;
  for (const bool top_level : {true, false}) {  // in TOML, keys of no section come first
    for (const auto& [key, value] : values) {
      const std::string own = section_of(key);
      if (own.empty() != top_level) continue;
      if (own != section) text += fmt::format("\n[{}]\n", section = own);
      text += fmt::format("{} = {}\n", own.empty() ? key : key.substr(own.size() + 1), to_toml(value));
    }
  }
  return text;
}

std::string study_text(const KeyValues& values, const std::map<std::string, ParsedAxis>& axes) {
  std::string text = sections_text(values);
  if (!axes.empty()) text += "\n[axes]\n";
  for (const auto& [key, axis] : axes) {
    TomlValue list;
    list.kind = TomlValue::Kind::array;
    list.items = axis.written;
    text += fmt::format("\"{}\" = {}\n", key, to_toml(list));
  }
  return text;
}

std::string resolved_text(const ParsedStudy& parsed, const Study& study, const KeyValues& common) {
  return study_text(resolved_values(parsed, study, common), parsed.axes);
}

namespace {

bool decides_service(const std::string& key) {
  static const std::vector<std::string> names = {keys::bins, keys::outliers, keys::outages, keys::partitions};
  constexpr std::array<std::string_view, 10> sections = {"engine.",  "failures.", "gang.",   "interference.",
                                                         "ladder.",  "network.",  "policy.", "power.",
                                                         "routing.", "tenants."};
  const Key* declared = find_key(key);
  if (key.ends_with("seed") || (declared != nullptr && declared->of_study)) return false;
  return std::ranges::find(names, key) != names.end() ||
         std::ranges::any_of(sections, [&](auto section) { return key.starts_with(section); });
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

std::vector<std::pair<std::string, std::string>> changed_settings(const Study& study,
                                                                  const std::vector<std::string>& told) {
  const ParsedStudy parsed = parse_keys(parse_toml(study.resolved, study.name));
  const KeyValues given = values_of(parsed, 0);
  const auto is_told = [&](const std::string& key) {
    return std::ranges::any_of(told, [&](const auto& one) { return key == one || key.starts_with(one + "."); });
  };
  std::vector<std::pair<std::string, std::string>> changed;
  for (const auto& [key, value] : parsed.base) {
    if (!decides_service(key) || is_told(key)) continue;
    if (default_text(given, key, study.name) == to_toml(value)) continue;
    changed.emplace_back(key, value_text(value));
  }
  return changed;
}

}  // namespace palstudy
