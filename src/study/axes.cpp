// SPDX-License-Identifier: MIT
#include "study/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "study/keys/key.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {
namespace {

constexpr std::size_t max_runs = 1'000'000;
constexpr auto axis_advice = "write a list, or { first = 1, count = 30 }";

/// `{ first = 1, count = 30 }`, and not a table of further keys (`measure.jobs.first = [...]` without quotes).
bool is_range(const TomlValue& value) {
  if (value.kind != TomlValue::Kind::table) return false;
  for (const char* name : {"first", "count"}) {
    const TomlValue* item = value.find(name);
    if (item != nullptr && item->kind != TomlValue::Kind::array && item->kind != TomlValue::Kind::table) return true;
  }
  return false;
}

std::vector<TomlValue> range_values(const std::string& key, const TomlValue& value) {
  const TomlValue* first = value.find("first");
  const TomlValue* count = value.find("count");
  const bool right = first != nullptr && count != nullptr && value.items.size() == 2 &&
                     first->kind == TomlValue::Kind::integer && count->kind == TomlValue::Kind::integer;
  if (!right) throw usage_error(fmt::format("the axis {} is not a range of integers", key), value.where, axis_advice);
  if (count->integer < 1) {
    throw usage_error(fmt::format("the axis {} has no value: count = {}", key, count->integer), count->where,
                      axis_advice);
  }
  if (count->integer > static_cast<std::int64_t>(max_runs)) {
    throw usage_error(fmt::format("the axis {} is too long", key), count->where, "at most 1000000 values");
  }
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  if (first->integer > largest - (count->integer - 1)) {
    throw usage_error(fmt::format("the axis {} goes beyond {}, the largest number", key, largest), first->where,
                      "begin with a smaller one");
  }
  std::vector<TomlValue> values;
  for (std::int64_t i = 0; i < count->integer; ++i) {
    values.push_back(TomlValue::of(first->integer + i));
    values.back().where = first->where;
  }
  return values;
}

std::vector<TomlValue> axis_items(const std::string& key, const TomlValue& value) {
  if (is_range(value)) return range_values(key, value);
  if (value.kind != TomlValue::Kind::array) {
    throw usage_error(fmt::format("the axis {} is {}, not a list", key, describe(value)), value.where, axis_advice);
  }
  if (value.items.empty()) throw usage_error(fmt::format("the axis {} is empty", key), value.where, axis_advice);
  return value.items;
}

const Key& key_of_axis(const std::string& key, const TomlValue& value) {
  const Key* known = find_key(key);
  if (known == nullptr) refuse_key(key, value);
  if (!known->may_be_axis()) {
    throw usage_error(fmt::format("{} cannot be an axis", key), value.key_where,
                      "an axis is a key that takes one value in each run");
  }
  return *known;
}

std::vector<std::string> without_params(const KeyValues& set) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : set) {
    const auto same = [&](const Key& fixed) { return fixed.name == key; };
    if (std::ranges::any_of(fixed_keys(), same)) keys.push_back(key);
  }
  return keys;
}

/// What a system stands for: { name = "tiresias", order = "las2d", ... }. Each sets the same keys, so that none is left
/// to a default in one of them alone; parameters are those of what it chooses.
KeyValues keys_of_system(const Key& axis, const TomlValue& table, const std::vector<KeyValues>& before) {
  const TomlValue* name = table.kind == TomlValue::Kind::table ? table.find("name") : nullptr;
  if (name == nullptr || table.items.size() < 2) {
    throw usage_error(fmt::format("a value of {} wants a name and keys", axis.name), table.where,
                      "such as { name = \"tiresias\", order = \"las2d\", placement = \"tiresias\" }");
  }
  const std::string section = axis.name.substr(0, axis.name.rfind('.') + 1);
  KeyValues set;
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    if (table.names[i] == "name") continue;
    const std::string key = section + table.names[i];
    set.emplace(key, check_value(key_of_axis(key, table.items[i]), table.items[i]));
  }
  if (before.empty()) return set;
  const auto mine = without_params(set), first = without_params(before.front());
  if (mine == first) return set;
  throw usage_error(
      fmt::format("{} {} sets {}, and the first sets {}", axis.name, to_toml(*name), join(mine), join(first)),
      table.where, "give the same keys in all");
}

void read_table(const std::string& prefix, const TomlValue& table, std::map<std::string, ParsedAxis>& out) {
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    const auto [key, item] = current_key(prefix + table.names[i], table.items[i]);
    if (item.kind == TomlValue::Kind::table && !is_range(item) && !item.items.empty()) {
      read_table(key + ".", item, out);
    } else if (!out.emplace(key, read_axis(key, item)).second) {
      throw usage_error(fmt::format("the axis {} is given twice", key), item.key_where, "keep one of them");
    }
  }
}

}  // namespace

bool is_seed_key(const std::string& key) { return key == keys::seed.name || key.ends_with(".seed"); }

std::map<std::string, ParsedAxis> read_axes(const TomlValue& table) {
  if (table.kind != TomlValue::Kind::table) {
    throw usage_error("axes is a table, not " + describe(table), table.where,
                      fmt::format("\"{}\" = [...] under [axes]", keys::placement.name));
  }
  std::map<std::string, ParsedAxis> axes;
  read_table("", table, axes);
  return axes;
}

ParsedAxis read_axis(const std::string& key, const TomlValue& value) {
  const Key& known = key_of_axis(key, value);
  ParsedAxis axis;
  axis.written = axis_items(key, value);
  std::set<std::string> seen;
  for (const auto& item : axis.written) {
    if (known.type == KeyType::system) {
      axis.sets.push_back(keys_of_system(known, item, axis.sets));
      axis.values.push_back(check_value(Key{.name = known.name + " name", .type = KeyType::text}, *item.find("name")));
    } else {
      axis.values.push_back(check_value(known, item));
    }
    if (!seen.insert(to_toml(axis.values.back())).second) {
      throw usage_error(fmt::format("the axis {} has {} twice", key, describe(item)), item.where, "leave one out");
    }
  }
  return axis;
}

TomlValue one_or_many(const TomlValue& value) {
  if (value.kind == TomlValue::Kind::array || is_range(value)) return value;
  return {.kind = TomlValue::Kind::array, .items = {value}, .where = value.where, .key_where = value.key_where};
}

ColumnType axis_type(const ParsedAxis& axis) {
  const auto& all = axis.values;  // not as written: 360 and 360.0 are the same number, and give the same column
  const auto integer = [](const TomlValue& value) { return value.kind == TomlValue::Kind::integer; };
  if (std::ranges::all_of(all, integer)) return ColumnType::integer;
  const auto number = [](const TomlValue& value) { return value.number(); };
  return std::ranges::all_of(all, number) ? ColumnType::real : ColumnType::text;
}

AxisValue axis_value(const TomlValue& value, ColumnType type) {
  switch (type) {
    case ColumnType::integer:
      return value.integer;
    case ColumnType::real:
      return value.as_real();
    case ColumnType::text:
      break;
  }
  return value.kind == TomlValue::Kind::text ? value.text : to_toml(value);
}

std::size_t count_runs(const ParsedStudy& parsed) {
  std::size_t runs = 1;
  for (const auto& [key, axis] : parsed.axes) {
    if (axis.values.size() > max_runs / runs) {
      throw usage_error("the axes make more than 1000000 runs", axis.written.front().where, "split the study");
    }
    runs *= axis.values.size();
  }
  return runs;
}

KeyValues values_of(const ParsedStudy& parsed, std::size_t number) {
  KeyValues point = parsed.base;
  for (const bool seeds : {false, true}) {  // from the fastest to the slowest
    for (auto axis = parsed.axes.rbegin(); axis != parsed.axes.rend(); ++axis) {
      if (is_seed_key(axis->first) != seeds) continue;
      const std::size_t place = number % axis->second.values.size();
      number /= axis->second.values.size();
      point.insert_or_assign(axis->first, axis->second.values[place]);
      if (axis->second.sets.empty()) continue;
      for (const auto& [key, value] : axis->second.sets[place]) point.insert_or_assign(key, value);
    }
  }
  return point;
}

}  // namespace palstudy
