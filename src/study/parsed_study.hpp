// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "study/keys/key.hpp"

namespace palstudy {

/// One axis of the study.
struct ParsedAxis {
  std::vector<TomlValue> written;  ///< as in the file, and in the resolved study
  std::vector<TomlValue> values;   ///< in the form of the key: what is stored as the value of the axis
  std::vector<KeyValues> sets;     ///< policy.system: the keys that each value stands for
};

/// A study file with every key and value checked on its own, and no default filled in.
struct ParsedStudy {
  KeyValues base;
  std::map<std::string, ParsedAxis> axes;  ///< an axis takes the place of a value in `base`

  /// One KEY=VALUE of --set: replaces a key, or an axis by the one value (or by the values, if VALUE is a list); a list
  /// or range of seeds makes an axis where there is none. The values of policy.system are named.
  void override_with(const std::string& assignment);
};

/// Errors (usage): unknown keys, wrong types, values out of range, empty or repeating axes, with file:line:column.
[[nodiscard]] ParsedStudy parse_keys(const TomlValue& document);

/// Whether the key takes its values from an axis: its own, or that of policy.system.
[[nodiscard]] bool is_on_axis(const ParsedStudy& parsed, const std::string& key);
/// Whether the study has the key, as a value or on an axis.
[[nodiscard]] bool is_given(const ParsedStudy& parsed, const std::string& key);

}  // namespace palstudy
