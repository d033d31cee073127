// SPDX-License-Identifier: MIT
#pragma once

#include "core/error.hpp"
#include "study/keys/key.hpp"

namespace palstudy {

// Values of keys that are lists or tables, for `check_value`. Errors (usage): what is not as `wanted(key)` says, at the
// place of the item.
[[nodiscard]] TomlValue check_nodes(const Key& key, const TomlValue& value);
[[nodiscard]] TomlValue check_names(const Key& key, const TomlValue& value);
[[nodiscard]] TomlValue check_looks(const Key& key, const TomlValue& value);
[[nodiscard]] TomlValue check_quotas(const Key& key, const TomlValue& value);
[[nodiscard]] TomlValue check_partitions(const Key& key, const TomlValue& value);
[[nodiscard]] TomlValue check_column_names(const Key& key, const TomlValue& value);

/// The error of a value of another type or out of range.
[[nodiscard]] Error wrong(const Key& key, const TomlValue& value);

}  // namespace palstudy
