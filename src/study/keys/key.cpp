// SPDX-License-Identifier: MIT
#include "study/keys/key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "sim/result.hpp"
#include "stats/paired.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/keys/several_values.hpp"

namespace palstudy {

Key Key::integer(std::string name, std::string unit, std::string value, std::string summary, double least,
                 double most) {
  return {.name = std::move(name),
          .type = KeyType::integer,
          .unit = std::move(unit),
          .default_value = std::move(value),
          .summary = std::move(summary),
          .least = least,
          .most = most};
}

Key Key::seed(std::string name, std::string summary) {
  return integer(std::move(name), "", "", std::move(summary), 0, max_integer)
      .otherwise(keys::seed, [](const KeyValues& values) { return keys::seed.at(values); })
      .is(&Key::independent);
}

Key Key::number(std::string name, std::string unit, std::string value, std::string summary) {
  return {.name = std::move(name),
          .type = KeyType::number,
          .unit = std::move(unit),
          .default_value = std::move(value),
          .summary = std::move(summary),
          .least = 0};
}

Key Key::boolean(std::string name, std::string value, std::string summary) {
  return {.name = std::move(name),
          .type = KeyType::boolean,
          .default_value = std::move(value),
          .summary = std::move(summary)};
}

Key Key::text(KeyType type, std::string name, std::string value, std::string derived, std::string summary) {
  return {.name = std::move(name),
          .type = type,
          .default_value = std::move(value),
          .derived = std::move(derived),
          .summary = std::move(summary)};
}

Key Key::choice(std::string name, std::string value, std::string summary, std::vector<std::string> choices) {
  return {.name = std::move(name),
          .type = KeyType::choice,
          .default_value = std::move(value),
          .summary = std::move(summary),
          .choices = std::move(choices)};
}

Key Key::metric(std::string name, std::string value, std::string summary) {
  Key key = choice(std::move(name), std::move(value), std::move(summary)).is(&Key::of_study);
  for (const auto& info : metric_infos) key.choices.emplace_back(info.name);
  return key;
}

Key Key::between(double smallest, double largest) const {
  return with(&Key::least, smallest).with(&Key::most, largest);
}

Key Key::otherwise(std::string words, std::function<std::optional<TomlValue>(const KeyValues&)> value) const {
  return with(&Key::derived, std::move(words)).with(&Key::fallback, std::move(value));
}

Key Key::used_where(std::function<bool(const RunPlan&)> where, std::string why) const {
  return with(&Key::used, std::move(where)).with(&Key::unused_why, std::move(why));
}

namespace {

std::string range(const Key& key) {
  const bool low = std::isfinite(key.least), high = std::isfinite(key.most);
  if (low && high && key.above_least) {
    return fmt::format(" above {}, {} or less", shortest(key.least), shortest(key.most));
  }
  if (low && high && key.most < 9e18) return fmt::format(" from {} to {}", shortest(key.least), shortest(key.most));
  if (low && key.above_least) return fmt::format(" above {}", shortest(key.least));
  if (low) return fmt::format(", {} or more", shortest(key.least));
  return high ? fmt::format(", {} or less", shortest(key.most)) : "";
}

TomlValue check_number(const Key& key, const TomlValue& value) {
  const bool fits_type = key.type == KeyType::integer ? value.kind == TomlValue::Kind::integer : value.number();
  if (!fits_type) throw wrong(key, value);
  const double real = value.as_real();
  const bool in_range = real >= key.least && real <= key.most && !(key.above_least && real == key.least);
  if (!in_range || (std::isinf(real) && !key.infinite)) throw wrong(key, value);  // a NaN is not in range either
  if (key.type == KeyType::integer) return value;
  TomlValue number = TomlValue::of(real + 0.0);  // -0 becomes 0
  number.where = value.where;
  return number;
}

TomlValue check_choice(const Key& key, const TomlValue& value) {
  if (value.kind != TomlValue::Kind::text) throw wrong(key, value);
  if (std::ranges::find(key.choices, value.text) != key.choices.end()) return value;
  throw usage_error(
      fmt::format("unknown {} \"{}\"{}", key.name, value.text, suggestion(value.text, key.choices)), value.where,
      "known: " + join(key.choices) + (key.type == KeyType::word_or_table ? ", or a table of the keys under it" : ""));
}

TomlValue check_text(const Key& key, const TomlValue& value) {
  if (value.kind != TomlValue::Kind::text) throw wrong(key, value);
  const bool may_be_empty = key.of_study;
  if (value.text.empty() && !may_be_empty) throw wrong(key, value);
  const auto control =
      std::ranges::find_if(value.text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (control != value.text.end()) {
    throw usage_error(fmt::format("{} has a control character (U+{:04X}) behind \"{}\"", key.name,
                                  static_cast<unsigned char>(*control), std::string(value.text.begin(), control)),
                      value.where, "it is printed on one line, so write it without line ends, tabs and the like");
  }
  return value;
}

/// The known key that is nearest to `name`.
std::optional<std::string> nearest_key(const std::string& name) {
  std::vector<std::string> known;
  for (const Key& key : fixed_keys()) known.push_back(key.name);
  for (const Key& key : param_keys()) known.push_back(key.name);
  const auto last = [](const std::string& key) { return key.substr(key.rfind('.') + 1); };
  if (const auto near = nearest(name, known)) return near;
  for (const auto& key : known) {
    if (last(key) == last(name)) return key;  // the right name in the wrong section
  }
  for (const auto& key : known) {
    if (nearest(last(name), std::vector{last(key)})) return key;
  }
  return std::nullopt;
}

}  // namespace

std::string wanted(const Key& key) {
  switch (key.type) {
    case KeyType::integer:
      return key.least == key.most ? "the integer " + shortest(key.least) : "an integer" + range(key);
    case KeyType::number:
      return std::string("a ") + (key.infinite ? "number or inf" : "finite number") + range(key);
    case KeyType::boolean:
      return "true or false";
    case KeyType::text:
      return !key.of_study ? "a text that is not empty" : "a text";
    case KeyType::path:
      return "a path, relative to the study file";
    case KeyType::choice:
      return "one of " + join(key.choices);
    case KeyType::bins:
      return "\"silhouette\" or an integer from 1 to 16";
    case KeyType::nodes:
      return "a list of groups of nodes, [{ count = 100, gpus = 8 }, ...]";
    case KeyType::word_or_table:
      return "\"" + join(key.choices, "\" or \"") + "\", or the table of the keys under it";
    case KeyType::looks:
      return fmt::format("a rising list of numbers of seeds, the first {} or more", min_seeds_at_first_look);
    case KeyType::quotas:
      return "a table of tenants and their GPUs, { a = 64, b = 32 }";
    case KeyType::partitions:
      return "an integer from 1 to 16777216, or the GPUs of each, [512, 256, 128] or { a = 512, b = 256 }";
    case KeyType::system:
      return "an axis of tables, [{ name = \"tiresias\", order = \"las2d\", ... }, ...]";
    case KeyType::columns:
      return "a table of the trace's columns, { submit = \"submit_time\", gpus = \"gpu_num\" }, or a list of their "
             "names";
    case KeyType::names:
      break;
  }
  return "a placement or a list of placements, or of systems";
}

TomlValue check_value(const Key& key, const TomlValue& value) {
  switch (key.type) {
    case KeyType::integer:
    case KeyType::number:
      return check_number(key, value);
    case KeyType::boolean:
      if (value.kind != TomlValue::Kind::boolean) throw wrong(key, value);
      return value;
    case KeyType::word_or_table:
      if (value.kind != TomlValue::Kind::text) refuse_key(key.name, value);
      return check_choice(key, value);
    case KeyType::choice:
      return check_choice(key, value);
    case KeyType::bins: {
      const bool number = value.kind == TomlValue::Kind::integer && value.integer >= 1 && value.integer <= 16;
      if (!number && !(value.kind == TomlValue::Kind::text && value.text == "silhouette")) throw wrong(key, value);
      return value;
    }
    case KeyType::nodes:
      return check_nodes(key, value);
    case KeyType::names:
      return check_names(key, value);
    case KeyType::looks:
      return check_looks(key, value);
    case KeyType::quotas:
      return check_quotas(key, value);
    case KeyType::partitions:
      return check_partitions(key, value);
    case KeyType::columns:
      return check_column_names(key, value);
    case KeyType::system:
      throw wrong(key, value);
    case KeyType::text:
    case KeyType::path:
      break;
  }
  return check_text(key, value);
}

TomlValue default_of(const Key& key) {
  const auto value = parse_toml_value(key.default_value, key.name);
  if (!value) throw fault("a default that is not TOML: " + key.default_value, key.name);
  return check_value(key, *value);
}

namespace {

/// Keys of earlier versions, with what to do in place of each.
constexpr std::array<std::pair<std::string_view, const char*>, 3> deleted_keys = {{
    {"power.boots_per_min", "leave it out; power.boot_s says how long nodes take, and power.spare keeps some on"},
    {"power.cycles_per_day", "leave it out; a longer power.idle_s, or power.ces.keep, lets nodes change less often"},
    {"power.stops_per_min", "leave it out; a longer power.idle_s, or power.ces.keep, lets nodes change less often"},
}};

/// Keys that have another name since 1.1, and perhaps another unit.
struct FormerKey {
  const char *name, *now;
  double divisor;  ///< of a value of before
};
constexpr FormerKey former_keys[] = {{"policy.backfill_depth", "slurm.bf_max_job_test", 1},
                                     {"policy.backfill_resolution_s", "slurm.bf_resolution", 1},
                                     {"policy.backfill_window_s", "slurm.bf_window", 60},
                                     {"policy.backfill_interval_s", "slurm.bf_interval", 1},
                                     {"policy.age_weight", "slurm.PriorityWeightAge", 1},
                                     {"policy.fair_share_weight", "slurm.PriorityWeightFairshare", 1},
                                     {"policy.size_weight", "slurm.PriorityWeightJobSize", 1},
                                     {"policy.max_age_s", "slurm.PriorityMaxAge", 60},
                                     {"policy.favor_small", "slurm.PriorityFavorSmall", 1},
                                     {"policy.half_life_s", "slurm.PriorityDecayHalfLife", 60},
                                     {"policy.usage_period_s", "slurm.PriorityCalcPeriod", 60}};

/// A number, or each of a list, in a unit that is so many times as large.
TomlValue divided(const TomlValue& value, double divisor) {
  TomlValue result = value;
  for (TomlValue& item : result.items) item = divided(item, divisor);
  if (!value.number()) return result;
  result.kind = TomlValue::Kind::real;
  result.real = value.as_real() / divisor;
  return result;
}

void refuse_deleted_key(const std::string& name, const TomlValue& value) {
  for (const auto& [deleted, advice] : deleted_keys) {
    if (name == deleted) throw usage_error(name + " was a key of earlier versions", value.key_where, advice);
  }
}

}  // namespace

std::pair<std::string, TomlValue> current_key(const std::string& name, const TomlValue& value) {
  for (const FormerKey& former : former_keys) {
    if (name != former.name) continue;
    return {former.now, former.divisor == 1 ? value : divided(value, former.divisor)};
  }
  return {name, value};
}

void refuse_key(const std::string& name, const TomlValue& value) {
  refuse_deleted_key(name, value);
  std::vector<std::string> inside;
  for (const Key& key : fixed_keys()) {
    if (key.name.starts_with(name + ".")) inside.push_back(key.name.substr(name.size() + 1));
  }
  if (!inside.empty() && value.kind == TomlValue::Kind::table) {
    throw usage_error(fmt::format("{} is empty", name), value.where, "its keys: " + join(inside));
  }
  if (!inside.empty()) {
    const Key* key = find_key(name);
    const std::string word = key == nullptr ? "" : " or \"" + join(key->choices) + "\"";
    throw usage_error(fmt::format("{} is a table{}, not {}", name, word, describe(value)), value.where,
                      "its keys: " + join(inside));
  }
  const auto near = nearest_key(name);
  throw usage_error(fmt::format("unknown key {}{}", name, near ? fmt::format("; did you mean {}?", *near) : ""),
                    value.key_where, "`palstudy list keys` shows all keys");
}

}  // namespace palstudy
