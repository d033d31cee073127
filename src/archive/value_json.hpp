// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "core/value.hpp"

namespace palstudy {

/// A value as JSON in one line, as files keep it.
[[nodiscard]] std::string json_text(const Value& value);
/// The inverse; none where the text is no JSON.
[[nodiscard]] std::optional<Value> value_of_json(const std::string& text);

}  // namespace palstudy
