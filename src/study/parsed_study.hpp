// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "study/toml_value.hpp"

namespace palstudy {

/// The values of keys, checked and in the form of their keys.
using Point = std::map<std::string, TomlValue>;

/// One axis of the study.
struct DraftAxis {
  std::vector<TomlValue> written;  ///< as in the file, and in the resolved study
  std::vector<TomlValue> values;   ///< in the form of the key: what is stored as the value of the axis
};

/// What a study file says, every key and value checked by itself, nothing filled in.
struct Draft {
  Point base;
  std::map<std::string, DraftAxis> axes;  ///< an axis goes before a value in `base`

  /// One KEY=VALUE of --set: replaces a key, or an axis by the one value (or by the values, if VALUE is a list); a list
  /// or range of seeds makes an axis where there is none.
  void override_with(const std::string& assignment);
};

/// Errors (usage): unknown keys, wrong types, values out of range, empty or repeating axes, with file:line:column.
[[nodiscard]] Draft make_draft(const TomlValue& document);

/// Whether the study says anything of the key, as a value or as an axis.
[[nodiscard]] inline bool is_given(const Draft& draft, const std::string& key) {
  return draft.base.contains(key) || draft.axes.contains(key);
}

/// How many runs the axes make. Errors (usage): too many.
[[nodiscard]] std::size_t count_runs(const Draft& draft);
/// The given values of run `number`: its place in the product of the axes, keys sorted and the last one fastest, but
/// seeds slowest, so that adding seeds appends. `values`: the place on each axis, by sorted key.
[[nodiscard]] Point point_of(const Draft& draft, std::size_t number, std::vector<std::size_t>& places);

}  // namespace palstudy
