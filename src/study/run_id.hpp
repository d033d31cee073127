// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "study/keys/key.hpp"

namespace palstudy {

/// The keys that enter an id, sorted, values in their shortest form, paths as written: the text that is hashed.
[[nodiscard]] std::string canonical_text(const KeyValues& values);
/// Whether the value of a key is part of it: not if it stands for the behavior of versions before the key.
[[nodiscard]] bool enters_id(const std::string& key, const TomlValue& value);
/// One line of it.
[[nodiscard]] std::string canonical_line(const std::string& key, const TomlValue& value);
/// The id of a run with this canonical text: 16 hex digits, XXH3-64.
[[nodiscard]] std::string id_of(const std::string& canonical);

}  // namespace palstudy
