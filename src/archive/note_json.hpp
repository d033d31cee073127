// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "archive/archived_notes.hpp"
#include "core/error.hpp"

namespace palstudy {

// Include nlohmann/json.hpp before this. It finds `to_json`, so that values and notes go into its objects as they are.
// A ValueRecord goes in as a Value.

/// Nothing is null.
template <class Json>
void to_json(Json& json, const Value& value) {
  value.visit([&](const auto& any) {
    using Any = std::decay_t<decltype(any)>;
    if constexpr (std::is_same_v<Any, std::monostate>) {
      json = nullptr;
    } else if constexpr (std::is_same_v<Any, ValueRecord>) {
      json = Json::object();
      for (const auto& [name, one] : any) json[name] = one;
    } else {
      json = any;
    }
  });
}

/// {"id": ..., "severity": ..., "subject": ..., "values": {...}, "text": ...}
template <class Json>
void to_json(Json& json, const WordedNote& worded) {
  const auto& [note, text] = worded;
  json = {{"id", note.id},
          {"severity", name_of(note.severity)},
          {"subject", note.subject},
          {"values", Value(note.values)},
          {"text", text}};
}

template <class Json>
[[nodiscard]] Value value_of(const Json& json);

/// The values of a JSON object.
template <class Json>
[[nodiscard]] ValueRecord record_of(const Json& json) {
  ValueRecord record;
  for (const auto& [name, one] : json.items()) record.emplace_back(name, value_of(one));
  return record;
}

template <class Json>
Value value_of(const Json& json) {
  if (json.is_boolean()) return json.template get<bool>();
  if (json.is_number_integer()) return json.template get<std::int64_t>();
  if (json.is_number()) return json.template get<double>();
  if (json.is_string()) return json.template get<std::string>();
  if (json.is_object()) return record_of(json);
  if (!json.is_array()) return {};
  ValueList list;
  for (const Json& one : json) list.push_back(value_of(one));
  return list;
}

/// What `to_json` has written. Errors (data, at `where`): it is something else.
template <class Json>
[[nodiscard]] WordedNote note_of(const Json& json, const std::string& where) try {
  return {{json.at("id"), severity_named(json.at("severity"), where), json.at("subject"), record_of(json.at("values"))},
          json.at("text")};
} catch (const typename Json::exception&) {
  throw data_error("a note is not what this palstudy writes", where, restore_or_remake);
}

}  // namespace palstudy
