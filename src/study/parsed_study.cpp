// SPDX-License-Identifier: MIT
#include "study/parsed_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/error.hpp"
#include "core/text.hpp"
#include "study/axes.hpp"
#include "study/keys/key.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {
namespace {

bool known_section(const std::string& name) {
  const auto inside = [&](const auto& entry) { return entry.name.starts_with(name + "."); };
  const auto& keys = all_keys();
  return name == "axes" || std::ranges::any_of(keys, inside);
}

bool may_be_table(const std::string& key) {
  const Key* spec = find_key(key);
  return spec != nullptr && spec->type == KeyType::word_or_table;
}

void add_key(const std::string& name, const TomlValue& given, KeyValues& out) {
  const auto [key, value] = current_key(name, given);
  const Key* spec = find_key(key);
  if (spec == nullptr) refuse_key(key, value);
  if (!out.emplace(key, check_value(*spec, value)).second) {
    throw usage_error(fmt::format("{} is given twice", key), value.key_where, "keep one of them");
  }
}

void add_keys(const std::string& prefix, const TomlValue& table, KeyValues& out) {
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    const TomlValue& item = table.items[i];
    const std::string key = prefix + table.names[i];
    if (item.kind != TomlValue::Kind::table || (find_key(key) != nullptr && !may_be_table(key))) {
      add_key(key, item, out);
    } else if (!item.items.empty()) {
      add_keys(key + ".", item, out);
    } else if (!prefix.empty() || !known_section(key)) {
      refuse_key(key, item);
    }
  }
}

/// Keys that the systems of an axis set stand there alone.
void refuse_keys_of_systems(const ParsedStudy& parsed) {
  const auto refuse = [&](const std::string& key, const TomlValue& value) {
    throw usage_error(fmt::format("{} is given, and by {} as well", key, keys::system.name), value.where,
                      "keep one of them");
  };
  const auto axis = parsed.axes.find(keys::system);
  if (axis == parsed.axes.end()) return;
  for (const KeyValues& set : axis->second.sets) {
    for (const auto& [key, value] : set) {
      if (const auto beside = parsed.base.find(key); beside != parsed.base.end()) refuse(key, beside->second);
      if (const auto other = parsed.axes.find(key); other != parsed.axes.end()) refuse(key, other->second.written[0]);
    }
  }
}

/// The systems of the study that a value of --set names.
ParsedAxis named_systems(const ParsedAxis& all, const TomlValue& value) {
  ParsedAxis chosen;
  for (const TomlValue& name : one_or_many(value).items) {
    const auto same = [&](const TomlValue& one) { return one.text == name.text; };
    const auto found = std::ranges::find_if(all.values, same);
    if (name.kind != TomlValue::Kind::text || found == all.values.end()) {
      std::vector<std::string> known;
      for (const TomlValue& one : all.values) known.push_back(one.text);
      throw usage_error(fmt::format("{} is {}, which the study does not have", keys::system.name, describe(name)),
                        name.where, "its systems are " + join(known));
    }
    const auto again = [&](const TomlValue& one) { return one.text == name.text; };
    if (std::ranges::any_of(chosen.values, again)) {
      throw usage_error(fmt::format("{} has {} twice", keys::system.name, describe(name)), name.where, "leave one out");
    }
    const auto at = static_cast<std::size_t>(found - all.values.begin());
    chosen.written.push_back(all.written[at]);
    chosen.values.push_back(name);
    chosen.sets.push_back(all.sets[at]);
  }
  return chosen;
}

TomlValue override_value(const std::string& key, const std::string& text, const std::string& where) {
  auto value = parse_toml_value(text, where);
  const Key* spec = find_key(key);
  const bool wants_text = spec != nullptr && (spec->type == KeyType::text || spec->type == KeyType::path);
  const bool bare = !value || (wants_text && (value->number() || value->kind == TomlValue::Kind::boolean));
  if (!bare) return *value;
  if (spec != nullptr && !wants_text) require_64_bits(text, where);
  TomlValue word = TomlValue::of(text);
  word.where = word.key_where = where;
  return word;
}

}  // namespace

ParsedStudy parse_keys(const TomlValue& document) {
  ParsedStudy parsed;
  TomlValue keys = document;
  keys.names.clear();
  keys.items.clear();
  for (std::size_t i = 0; i < document.items.size(); ++i) {
    if (document.names[i] == "axes") {
      parsed.axes = read_axes(document.items[i]);
    } else {
      keys.names.push_back(document.names[i]);
      keys.items.push_back(document.items[i]);
    }
  }
  add_keys("", keys, parsed.base);
  refuse_keys_of_systems(parsed);
  return parsed;
}

bool is_on_axis(const ParsedStudy& parsed, const std::string& key) {
  const auto sets_it = [&](const auto& axis) {
    const auto& sets = axis.second.sets;
    return axis.first == key || std::ranges::any_of(sets, [&](const KeyValues& set) { return set.contains(key); });
  };
  return std::ranges::any_of(parsed.axes, sets_it);
}

bool is_given(const ParsedStudy& parsed, const std::string& key) {
  return parsed.base.contains(key) || is_on_axis(parsed, key);
}

void ParsedStudy::override_with(const std::string& assignment) {
  const auto equals = assignment.find('=');
  std::string key = assignment.substr(0, std::min(equals, assignment.size()));
  std::erase_if(key, [](char c) { return c == ' ' || c == '"'; });
  if (equals == std::string::npos || key.empty()) {
    throw usage_error("--set wants KEY=VALUE", "--set " + assignment, "for instance --set policy.placement=pal");
  }
  std::string text = assignment.substr(equals + 1);
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  TomlValue value = override_value(key, text, "--set " + assignment);
  std::tie(key, value) = current_key(key, value);
  const bool many = value.kind == TomlValue::Kind::array || value.kind == TomlValue::Kind::table;
  if (key == keys::system.name && axes.contains(key)) {
    axes.at(key) = named_systems(axes.at(key), value);
    return;
  }
  if (axes.contains(key) ||
      (is_seed_key(key) && many)) {  // an axis of seeds may be new, since more seeds are wanted often
    axes.insert_or_assign(key, read_axis(key, one_or_many(value)));
    return;
  }
  const std::string around = key.substr(0, key.rfind('.'));  // a key of a table replaces the word in its place
  std::erase_if(base, [&](const auto& entry) {
    return entry.first == key || entry.first.starts_with(key + ".") || (entry.first == around && may_be_table(around));
  });
  TomlValue table;
  table.names = {key};
  table.items = {value};
  add_keys("", table, base);
  refuse_keys_of_systems(*this);
}

}  // namespace palstudy
