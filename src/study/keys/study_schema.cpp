// SPDX-License-Identifier: MIT
#include "study/keys/study_schema.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "policy/placement_policy.hpp"
#include "study/keys/keys.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

Json table() { return {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}}; }

Json integer_from(std::int64_t least) { return {{"type", "integer"}, {"minimum", least}}; }

/// A limit as an integer where it is one, so that 64 does not become 64.0.
Json limit(double value) {
  if (value == std::floor(value)) return static_cast<std::int64_t>(value);
  return value;
}

Json number_schema(const KeySpec& spec) {
  constexpr double largest = 9e18;  // beyond it a limit says no more than 64 bits do
  Json schema = {{"type", spec.type == KeyType::integer ? "integer" : "number"}};
  if (std::isfinite(spec.least)) schema[spec.above_least ? "exclusiveMinimum" : "minimum"] = limit(spec.least);
  if (spec.most < largest) schema["maximum"] = limit(spec.most);
  return schema;
}

Json list_of(Json items) { return {{"type", "array"}, {"minItems", 1}, {"items", std::move(items)}}; }

Json names_schema() {
  const Json one = {{"enum", placements().names()}};
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

/// What one value of a key may be.
Json value_schema(const KeySpec& spec) {
  switch (spec.type) {
    case KeyType::integer:
    case KeyType::number:
      return number_schema(spec);
    case KeyType::boolean:
      return {{"type", "boolean"}};
    case KeyType::choice:
    case KeyType::word_or_table:
      return {{"enum", spec.choices}};
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
    case KeyType::text:
    case KeyType::path:
      break;
  }
  Json text = {{"type", "string"}};
  if (spec.of_run) text["minLength"] = 1;
  return text;
}

/// The values of an axis: a list, or a range of integers.
Json axis_schema(const KeySpec& spec) {
  Json values = list_of(value_schema(spec));
  values["uniqueItems"] = true;
  if (spec.type != KeyType::integer) return values;
  Json range = table();
  range["properties"] = {{"first", {{"type", "integer"}}}, {"count", integer_from(1)}};
  range["required"] = {"first", "count"};
  return {{"anyOf", {values, range}}};
}

bool may_be_axis(const KeySpec& spec) {
  return spec.of_run && spec.type != KeyType::nodes && spec.type != KeyType::quotas;
}

Json described(Json schema, const KeySpec& spec) {
  schema["description"] = spec.unit.empty() || spec.unit == "1" ? spec.summary : spec.summary + " [" + spec.unit + "]";
  const Json value = Json::parse(spec.default_value, nullptr, false);
  if (!value.is_discarded()) schema["default"] = value;
  return schema;
}

/// Puts the schema of a dotted key into the tables under `root`. A key whose value may be a word or a table becomes
/// both.
void put(Json& root, const std::string& key, Json schema) {
  const auto dot = key.find('.');
  Json& at = root["properties"][key.substr(0, dot)];
  if (dot == std::string::npos) {
    at = at.is_null() ? std::move(schema) : Json{{"anyOf", {std::move(schema), at}}};
    return;
  }
  if (at.is_null()) at = table();
  if (!at.contains("properties")) {
    if (!at.contains("anyOf")) at = Json{{"anyOf", {at, table()}}};
    return put(at["anyOf"].back(), key.substr(dot + 1), std::move(schema));
  }
  put(at, key.substr(dot + 1), std::move(schema));
}

std::vector<KeySpec> every_key() {
  std::vector<KeySpec> all = fixed_keys();
  for (const KeyInfo& info : study_keys()) {
    const KeySpec* spec = find_key(info.key);
    if (spec != nullptr &&
        std::none_of(all.begin(), all.end(), [&](const auto& other) { return other.key == info.key; })) {
      all.push_back(*spec);
    }
  }
  return all;
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
  for (const KeySpec& spec : every_key()) {
    put(root, spec.key, described(value_schema(spec), spec));
    if (!may_be_axis(spec)) continue;
    const Json axis = axis_schema(spec);
    if (spec.key.find('.') != std::string::npos) axes["properties"][spec.key] = axis;  // "policy.placement" = [...]
    put(axes, spec.key, axis);                                                         // policy.placement = [...]
  }
  root["properties"]["axes"] = axes;
  return root.dump(2) + "\n";
}

}  // namespace palstudy
