// SPDX-License-Identifier: MIT
#include "archive/value_json.hpp"

#include <nlohmann/json.hpp>

#include "archive/note_json.hpp"

namespace palstudy {

std::string json_text(const Value& value) {
  using Json = nlohmann::ordered_json;
  return Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Value> value_of_json(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return value_of(json);
}

}  // namespace palstudy
