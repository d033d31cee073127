// SPDX-License-Identifier: MIT
#include "study/keys/key_table.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "policy/backfill_policy.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "policy/routing_policy.hpp"
#include "sim/state/scheduler.hpp"
#include "study/keys/key.hpp"
#include "study/keys/key_names.hpp"
#include "workload/predict/predictor.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {

void register_key_sections(KeySections& sections);  // generated: cmake/PalstudyRegister.cmake

namespace {

using Keys = std::vector<Key>;

void sort_by_name(Keys& keys) {
  std::ranges::sort(keys, [](const Key& a, const Key& b) { return a.name < b.name; });
}

Keys make_fixed_keys() {
  Keys all;
  for (const KeySection& section : key_sections()) all.insert(all.end(), section.keys.begin(), section.keys.end());
  sort_by_name(all);
  return all;
}

Keys make_all_keys() {
  Keys all = fixed_keys();
  const std::size_t fixed = all.size();
  for (Key& key : param_keys()) {
    const auto same = std::ranges::find_if(all, [&](const Key& other) { return other.name == key.name; });
    const bool shared = same != all.end();  // two generators may share a name: a value is checked against its own
    if (shared && (same < all.begin() + static_cast<std::ptrdiff_t>(fixed) || same->type != key.type)) {
      throw fault("a parameter takes the name of another key", key.name);
    }
    if (shared && same->derived != key.derived) same->derived = "must be given";
    if (!shared) all.push_back(std::move(key));
  }
  sort_by_name(all);
  return all;
}

KeyType key_type(ParamType type) {
  switch (type) {
    case ParamType::integer:
      return KeyType::integer;
    case ParamType::boolean:
      return KeyType::boolean;
    case ParamType::text:
      return KeyType::text;
    case ParamType::number:
      break;
  }
  return KeyType::number;
}

template <class Registered>
void add_params(const std::string& section, const Registered& registry, Keys& out) {
  for (const auto& entry : registry.entries()) {
    for (const auto& param : entry.params) out.push_back(param_key(section, param, entry.name));
  }
}

}  // namespace

const KeySections& key_sections() {
  static const KeySections sections = [] {
    KeySections all;
    register_key_sections(all);
    return all;
  }();
  return sections;
}

const std::vector<Key>& fixed_keys() {
  static const Keys keys = make_fixed_keys();
  return keys;
}

Key param_key(const std::string& section, const Param& param, const std::string& owner) {
  Key key{.name = key_of(section, param),
          .type = key_type(param.type),
          .unit = param.unit,
          .default_value = param.default_value,
          .derived = param.default_value.empty() ? "must be given for " + owner : "",
          .summary = param.summary,
          .least = param.least,
          .most = param.most,
          .choices = param.choices};
  if (!param.choices.empty()) key.type = KeyType::choice;
  if (section == workload_section) return key.with(&Key::follows, {keys::generator, keys::predictor});
  return key.with(&Key::follows, {keys::scheduler, keys::order, keys::placement, keys::backfill});
}

std::vector<Key> param_keys() {
  Keys keys;
  add_params(workload_section, generators(), keys);
  add_params(workload_section, predictors(), keys);
  add_params(policy_section, schedulers(), keys);
  add_params(policy_section, orders(), keys);
  add_params(policy_section, backfills(), keys);
  add_params(policy_section, placements(), keys);
  add_params(routing_section, routings(), keys);
  return keys;
}

const std::vector<Key>& all_keys() {
  static const Keys keys = make_all_keys();
  return keys;
}

const Key* find_key(const std::string& name) {
  const auto& keys = all_keys();
  const auto found = std::lower_bound(keys.begin(), keys.end(), name,
                                      [](const Key& key, const std::string& sought) { return key.name < sought; });
  return found != keys.end() && found->name == name ? &*found : nullptr;
}

namespace {

using Json = nlohmann::ordered_json;

Json table() { return {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}}; }

Json integer_from(std::int64_t least) { return {{"type", "integer"}, {"minimum", least}}; }

/// A limit as an integer where it is one, so that 64 does not become 64.0.
Json limit(double value) {
  if (value == std::floor(value)) return static_cast<std::int64_t>(value);
  return value;
}

Json number_schema(const Key& key) {
  constexpr double largest = 9e18;  // beyond it a limit says no more than 64 bits do
  Json schema = {{"type", key.type == KeyType::integer ? "integer" : "number"}};
  if (std::isfinite(key.least)) schema[key.above_least ? "exclusiveMinimum" : "minimum"] = limit(key.least);
  if (key.most < largest) schema["maximum"] = limit(key.most);
  return schema;
}

Json list_of(Json items) { return {{"type", "array"}, {"minItems", 1}, {"items", std::move(items)}}; }

/// Its name and keys of its section.
Json system_schema() {
  Json schema = {{"type", "object"}, {"required", {"name"}}, {"minProperties", 2}, {"properties", Json::object()}};
  schema["properties"]["name"] = {{"type", "string"}, {"minLength", 1}};
  return schema;
}

/// Placements, or the study's own names of systems.
Json names_schema() {
  const Json one = {{"anyOf", {{{"enum", placements().names()}}, {{"type", "string"}, {"minLength", 1}}}}};
  Json several = list_of(one);
  several["uniqueItems"] = true;
  return {{"anyOf", {one, several}}};
}

Json nodes_schema() {
  Json group = table();
  group["properties"] = {{"count", integer_from(1)}, {"gpus", {{"type", "integer"}, {"minimum", 1}, {"maximum", 32}}}};
  group["required"] = {"count", "gpus"};
  return list_of(group);
}

Json columns_schema(const Key& key) {
  const Json name = {{"type", "string"}, {"minLength", 1}};
  Json by_role = table();
  for (const std::string& role : key.choices) by_role["properties"][role] = name;
  return {{"anyOf", {by_role, list_of(name)}}};
}

/// The values of a key.
Json value_schema(const Key& key) {
  switch (key.type) {
    case KeyType::integer:
    case KeyType::number:
      return number_schema(key);
    case KeyType::boolean:
      return {{"type", "boolean"}};
    case KeyType::choice:
    case KeyType::word_or_table:
      return {{"enum", key.choices}};
    case KeyType::bins:
      return {{"anyOf", {{{"const", "silhouette"}}, {{"type", "integer"}, {"minimum", 1}, {"maximum", 16}}}}};
    case KeyType::nodes:
      return nodes_schema();
    case KeyType::names:
      return names_schema();
    case KeyType::looks:
      return list_of(integer_from(1));
    case KeyType::quotas:
      return {{"type", "object"}, {"additionalProperties", {{"type", "number"}, {"minimum", 0}}}};
    case KeyType::partitions:
      return {{"anyOf",
               {integer_from(1),
                list_of(integer_from(1)),
                {{"type", "object"}, {"additionalProperties", integer_from(1)}, {"minProperties", 1}}}}};
    case KeyType::columns:
      return columns_schema(key);
    case KeyType::system:
      return system_schema();
    case KeyType::text:
    case KeyType::path:
      break;
  }
  Json text = {{"type", "string"}};
  if (!key.of_study) text["minLength"] = 1;
  return text;
}

/// The values of an axis: a list, or a range of integers.
Json axis_schema(const Key& key) {
  Json values = list_of(value_schema(key));
  values["uniqueItems"] = true;
  if (key.type == KeyType::system) values["description"] = key.summary;
  if (key.type != KeyType::integer && key.type != KeyType::partitions) return values;
  Json range = table();
  range["properties"] = {{"first", {{"type", "integer"}}}, {"count", integer_from(1)}};
  range["required"] = {"first", "count"};
  return {{"anyOf", {values, range}}};
}

Json described(Json schema, const Key& key) {
  schema["description"] = key.unit.empty() || key.unit == "1" ? key.summary : key.summary + " [" + key.unit + "]";
  const Json value = Json::parse(key.default_value, nullptr, false);
  if (!value.is_discarded()) schema["default"] = value;
  return schema;
}

/// Puts the schema of a dotted key into the tables under `root`. A key whose value may be a word or a table becomes
/// both.
void put(Json& root, const std::string& name, Json schema) {
  const auto dot = name.find('.');
  Json& at = root["properties"][name.substr(0, dot)];
  if (dot == std::string::npos) {
    at = at.is_null() ? std::move(schema) : Json{{"anyOf", {std::move(schema), at}}};
    return;
  }
  if (at.is_null()) at = table();
  if (!at.contains("properties")) {
    if (!at.contains("anyOf")) at = Json{{"anyOf", {at, table()}}};
    return put(at["anyOf"].back(), name.substr(dot + 1), std::move(schema));
  }
  put(at, name.substr(dot + 1), std::move(schema));
}

}  // namespace

std::string study_schema() {
  Json root = {{"$schema", "http://json-schema.org/draft-07/schema#"},
               {"title", "palstudy study"},
               {"description",
                "A study of palstudy. Written by scripts/generate-docs.sh from the program's keys; do not edit."}};
  root.update(table());
  Json axes = table();
  axes["description"] = "Keys that take several values; the runs are the product of the axes.";
  for (const Key& key : all_keys()) {
    if (key.type != KeyType::system) put(root, key.name, described(value_schema(key), key));
    if (!key.may_be_axis()) continue;
    const Json axis = axis_schema(key);
    if (key.name.find('.') != std::string::npos) axes["properties"][key.name] = axis;  // "section.key" = [...]
    put(axes, key.name, axis);                                                         // section.key = [...]
  }
  root["properties"]["axes"] = axes;
  return root.dump(2) + "\n";
}

}  // namespace palstudy
