// SPDX-License-Identifier: MIT
// What is said of a key or a value that is not right.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "policy/placement_policy.hpp"
#include "stats/paired.hpp"
#include "study/keys/keys.hpp"
#include "study/keys/tenant_keys.hpp"

namespace palstudy {
namespace {

constexpr auto not_yet = "this version of palstudy does not do that yet";

std::string range(const KeySpec& spec) {
  const bool low = std::isfinite(spec.least), high = std::isfinite(spec.most);
  if (low && high && spec.above_least) {
    return fmt::format(" above {}, {} or less", shortest(spec.least), shortest(spec.most));
  }
  if (low && high && spec.most < 9e18) return fmt::format(" from {} to {}", shortest(spec.least), shortest(spec.most));
  if (low && spec.above_least) return fmt::format(" above {}", shortest(spec.least));
  if (low) return fmt::format(", {} or more", shortest(spec.least));
  return high ? fmt::format(", {} or less", shortest(spec.most)) : "";
}

Error wrong(const KeySpec& spec, const TomlValue& value) {
  const bool several = value.kind == TomlValue::Kind::array || value.kind == TomlValue::Kind::table;
  const bool list = several && spec.of_run && spec.type != KeyType::nodes;
  return usage_error(fmt::format("{} wants {}, not {}", spec.key, wanted(spec), describe(value)), value.where,
                     list ? fmt::format("to try several values write \"{}\" = [...] under [axes]", spec.key) : "");
}

TomlValue check_number(const KeySpec& spec, const TomlValue& value) {
  const bool fits_type = spec.type == KeyType::integer ? value.kind == TomlValue::Kind::integer : value.number();
  if (!fits_type) throw wrong(spec, value);
  const double real = value.as_real();
  const bool in_range = real >= spec.least && real <= spec.most && !(spec.above_least && real == spec.least);
  if (!in_range || (std::isinf(real) && !spec.infinite)) throw wrong(spec, value);  // a NaN is not in range either
  if (spec.type == KeyType::integer) return value;
  TomlValue number = TomlValue::of(real + 0.0);  // -0 becomes 0
  number.where = value.where;
  return number;
}

TomlValue check_choice(const KeySpec& spec, const TomlValue& value) {
  if (value.kind != TomlValue::Kind::text) throw wrong(spec, value);
  if (std::find(spec.choices.begin(), spec.choices.end(), value.text) != spec.choices.end()) return value;
  const std::string known = "known: " + join(spec.choices);
  if (std::find(spec.later.begin(), spec.later.end(), value.text) != spec.later.end()) {
    throw usage_error(fmt::format("{} = \"{}\": {}", spec.key, value.text, not_yet), value.where, known);
  }
  const auto near = nearest(value.text, spec.choices);
  throw usage_error(fmt::format("unknown {} \"{}\"{}", spec.key, value.text,
                                near ? fmt::format("; did you mean \"{}\"?", *near) : ""),
                    value.where, known);
}

TomlValue check_nodes(const KeySpec& spec, const TomlValue& value) {
  static const KeySpec count{.key = "cluster.nodes count", .type = KeyType::integer, .least = 1, .most = 1 << 24};
  static const KeySpec gpus{.key = "cluster.nodes gpus", .type = KeyType::integer, .least = 1, .most = 32};
  if (value.kind != TomlValue::Kind::array || value.items.empty()) throw wrong(spec, value);
  double total = 0;
  for (const auto& group : value.items) {
    const auto* nodes = group.find("count");
    const auto* each = group.find("gpus");
    if (nodes == nullptr || each == nullptr || group.items.size() != 2) {
      throw usage_error("a group of cluster.nodes is { count = 100, gpus = 8 }, with both keys and no other",
                        group.where);
    }
    total += check_value(count, *nodes).as_real() * check_value(gpus, *each).as_real();
  }
  if (total > 1 << 24) {
    throw usage_error(fmt::format("cluster.nodes has {} GPUs", shortest(total)), value.where, "at most 16777216");
  }
  return value;
}

TomlValue check_names(const KeySpec& spec, const TomlValue& value) {
  const KeySpec one{.key = spec.key, .type = KeyType::choice, .choices = placements().names(), .of_run = false};
  if (value.kind != TomlValue::Kind::array) return check_choice(one, value);
  if (value.items.empty()) throw wrong(spec, value);
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const auto& item = check_choice(one, value.items[i]);
    for (std::size_t j = 0; j < i; ++j) {
      if (value.items[j].text == item.text) {
        throw usage_error(fmt::format("{} names \"{}\" twice", spec.key, item.text), item.where);
      }
    }
  }
  return value;
}

TomlValue check_text(const KeySpec& spec, const TomlValue& value) {
  if (value.kind != TomlValue::Kind::text) throw wrong(spec, value);
  const bool may_be_empty = !spec.of_run;
  const bool control = std::any_of(value.text.begin(), value.text.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (control || (value.text.empty() && !may_be_empty)) throw wrong(spec, value);
  return value;
}

/// The known key that someone who wrote `key` may have meant.
std::optional<std::string> meant(const std::string& key) {
  std::vector<std::string> known;
  for (const auto& spec : fixed_keys()) known.push_back(spec.key);
  for (const auto& spec : param_keys()) known.push_back(spec.key);
  const auto last = [](const std::string& name) { return name.substr(name.rfind('.') + 1); };
  if (const auto near = nearest(key, known)) return near;
  for (const auto& name : known) {
    if (last(name) == last(key)) return name;  // the right name in the wrong section
  }
  for (const auto& name : known) {
    const auto near = nearest(last(key), std::vector{last(name)});
    if (near) return name;
  }
  return std::nullopt;
}

TomlValue check_looks(const KeySpec& spec, const TomlValue& value) {
  if (value.kind != TomlValue::Kind::array || value.items.empty()) throw wrong(spec, value);
  static const KeySpec one{.key = "stop.looks", .type = KeyType::integer, .least = 1, .most = 1'000'000};
  std::int64_t before = 0;
  for (const auto& item : value.items) {
    const std::int64_t seeds = check_value(one, item).integer;
    if (before == 0 && seeds < static_cast<std::int64_t>(least_first_look)) {
      throw usage_error(fmt::format("the first of stop.looks is at {} seeds, before {}", seeds, least_first_look),
                        item.where, "with fewer seeds the spread is known too badly, and luck would end studies early");
    }
    if (seeds <= before) {
      throw usage_error(fmt::format("stop.looks has {} after {}", seeds, before), item.where,
                        "numbers of seeds that rise, such as [20, 40, 80, 160]");
    }
    before = seeds;
  }
  return value;
}

}  // namespace

std::string wanted(const KeySpec& spec) {
  switch (spec.type) {
    case KeyType::integer:
      return spec.least == spec.most ? "the integer " + shortest(spec.least) : "an integer" + range(spec);
    case KeyType::number:
      return std::string("a ") + (spec.infinite ? "number or inf" : "finite number") + range(spec);
    case KeyType::boolean:
      return "true or false";
    case KeyType::text:
      return spec.of_run ? "a text that is not empty" : "a text";
    case KeyType::path:
      return "a path, relative to the study file";
    case KeyType::choice:
      return "one of " + join(spec.choices);
    case KeyType::bins:
      return "\"silhouette\" or an integer from 1 to 16";
    case KeyType::nodes:
      return "a list of groups of nodes, [{ count = 100, gpus = 8 }, ...]";
    case KeyType::word_or_table:
      return "\"" + join(spec.choices) + "\", or the table of the keys under it";
    case KeyType::looks:
      return fmt::format("a rising list of numbers of seeds, the first {} or more", least_first_look);
    case KeyType::quotas:
      return "a table of tenants and their GPUs, { a = 64, b = 32 }";
    case KeyType::names:
      break;
  }
  return "a placement or a list of placements";
}

TomlValue check_value(const KeySpec& spec, const TomlValue& value) {
  switch (spec.type) {
    case KeyType::integer:
    case KeyType::number:
      return check_number(spec, value);
    case KeyType::boolean:
      if (value.kind != TomlValue::Kind::boolean) throw wrong(spec, value);
      return value;
    case KeyType::word_or_table:
      if (value.kind != TomlValue::Kind::text) refuse_key(spec.key, value);
      return check_choice(spec, value);
    case KeyType::choice:
      return check_choice(spec, value);
    case KeyType::bins: {
      const bool number = value.kind == TomlValue::Kind::integer && value.integer >= 1 && value.integer <= 16;
      if (!number && !(value.kind == TomlValue::Kind::text && value.text == "silhouette")) throw wrong(spec, value);
      return value;
    }
    case KeyType::nodes:
      return check_nodes(spec, value);
    case KeyType::names:
      return check_names(spec, value);
    case KeyType::looks:
      return check_looks(spec, value);
    case KeyType::quotas:
      return check_quotas(spec, value);
    case KeyType::text:
    case KeyType::path:
      break;
  }
  return check_text(spec, value);
}

void refuse_key(const std::string& key, const TomlValue& value) {
  std::vector<std::string> inside;
  for (const auto& spec : fixed_keys()) {
    if (spec.key.starts_with(key + ".")) inside.push_back(spec.key.substr(key.size() + 1));
  }
  if (!inside.empty() && value.kind == TomlValue::Kind::table) {
    throw usage_error(fmt::format("{} is empty", key), value.where, "its keys: " + join(inside));
  }
  if (!inside.empty()) {
    const KeySpec* spec = find_key(key);
    const std::string word = spec == nullptr ? "" : " or \"" + join(spec->choices) + "\"";
    throw usage_error(fmt::format("{} is a table{}, not {}", key, word, describe(value)), value.where,
                      "its keys: " + join(inside));
  }
  const auto near = meant(key);
  throw usage_error(fmt::format("unknown key {}{}", key, near ? fmt::format("; did you mean {}?", *near) : ""),
                    value.key_where, "`palstudy list keys` shows all keys");
}

}  // namespace palstudy
