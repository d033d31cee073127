// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "study/keys/key.hpp"

namespace palstudy {

/// Checks a value against its key and converts it to the key's own form (an integer becomes a real where a number is
/// wanted). Errors (usage): wrong type, out of range, unknown choice, at the place of the value.
[[nodiscard]] TomlValue check_value(const Key& key, const TomlValue& value);
/// The constant default of a key that has one.
[[nodiscard]] TomlValue default_of(const Key& key);
/// Throws for a name that is no key: a section, or a misspelling.
[[noreturn]] void refuse_key(const std::string& name, const TomlValue& value);
/// "an integer from 1 to 32", for messages and docs.
[[nodiscard]] std::string wanted(const Key& key);

}  // namespace palstudy
