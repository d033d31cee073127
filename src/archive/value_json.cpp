// SPDX-License-Identifier: MIT
#include "archive/value_json.hpp"

#include <nlohmann/json.hpp>

#include "archive/note_json.hpp"

namespace palstudy {

std::string json_text(const Value& value) {
  return nlohmann::ordered_json(value).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::optional<Value> value_of_json(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return value_of(json);
}

}  // namespace palstudy
