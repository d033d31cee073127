// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "study/keys/keys.hpp"
#include "study/keys/measure_keys.hpp"
#include "study/resolve.hpp"

namespace palstudy {
namespace {

bool axis_under(const Draft& draft, const std::string& table) {
  return std::any_of(draft.axes.begin(), draft.axes.end(),
                     [&](const auto& axis) { return axis.first.starts_with(table + "."); });
}

/// Whether a key that nobody gave has the same value in every run, so that writing it down changes no run.
bool fixed_in_all_runs(const Draft& draft, const std::string& key) {
  const KeySpec* spec = find_key(key);
  if (key.ends_with(".seed")) return false;  // they go on following `seed`
  if (key == "policy.knowledge_runs") return !draft.axes.contains("policy.knowledge");
  if (key == "policy.knowledge_seed") {
    return !draft.axes.contains("policy.knowledge") && !draft.axes.contains("cluster.source");
  }
  if (key == "network.profile") return !draft.axes.contains("cluster.profile");  // which it defaults to
  if (key == "cluster.classes") return !draft.axes.contains("cluster.profile");
  if (key.starts_with("network.penalty.")) return !axis_under(draft, "network.penalty");
  if (key.starts_with("policy.locality.")) {
    return !axis_under(draft, "policy.locality") && !axis_under(draft, "network.penalty");
  }
  const auto& fixed = fixed_keys();
  if (std::any_of(fixed.begin(), fixed.end(), [&](const auto& other) { return other.key == key; })) return true;
  const bool of_workload = spec->key.starts_with("workload.");  // a parameter, which comes with what is chosen
  if (of_workload) return !draft.axes.contains("workload.generator");
  return !draft.axes.contains("policy.order") && !draft.axes.contains("policy.placement");
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

Point all_keys_of(const Draft& draft, const Study& study) {
  std::vector<std::size_t> places;
  Point keys;
  for (const auto& [key, value] : complete(point_of(draft, 0, places), study.file.string())) {
    if (draft.axes.contains(key)) continue;
    if (draft.base.contains(key) || fixed_in_all_runs(draft, key)) keys.emplace(key, value);
  }
  keys.insert_or_assign("study.name", TomlValue::of(study.name));
  keys.insert_or_assign("study.title", TomlValue::of(study.title));
  if (!study.creator.empty()) keys.insert_or_assign("study.creator", TomlValue::of(study.creator));
  if (!study.license.empty()) keys.insert_or_assign("study.license", TomlValue::of(study.license));
  keys.insert_or_assign("compare.metric", TomlValue::of(study.compare_metric));
  keys.insert_or_assign("engine.checkpoint_s", TomlValue::of(study.checkpoint_s));
  add_measured(draft, study, keys);  // run 0 may be one that they are not about
  if (study.stop) {
    keys.insert_or_assign("stop.metric", TomlValue::of(study.stop->metric));
    for (const char* key : {"stop.relative_half_width", "stop.looks"}) keys.emplace(key, draft.base.at(key));
  }
  keys.erase("compare.baseline");
  if (!study.baselines.empty()) keys.emplace("compare.baseline", list_of(study.baselines));
  return keys;
}

}  // namespace

std::string resolved_text(const Draft& draft, const Study& study) {
  const Point keys = all_keys_of(draft, study);
  std::string text, section;
  for (const bool top_level : {true, false}) {  // in TOML, keys of no section come first
    for (const auto& [key, value] : keys) {
      const std::string own = section_of(key);
      if (own.empty() != top_level) continue;
      if (own != section) text += fmt::format("\n[{}]\n", section = own);
      text += fmt::format("{} = {}\n", own.empty() ? key : key.substr(own.size() + 1), to_toml(value));
    }
  }
  if (!draft.axes.empty()) text += "\n[axes]\n";
  for (const auto& [key, axis] : draft.axes) {
    TomlValue list;
    list.kind = TomlValue::Kind::array;
    list.items = axis.written;
    text += fmt::format("\"{}\" = {}\n", key, to_toml(list));
  }
  return text;
}

}  // namespace palstudy
