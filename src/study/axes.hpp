// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "record/record.hpp"
#include "study/parsed_study.hpp"

namespace palstudy {

/// The table `[axes]`: `"policy.placement" = [...]` or `"seed" = { first = 1, count = 30 }`.
[[nodiscard]] std::map<std::string, DraftAxis> read_axes(const TomlValue& table);
/// One axis. Errors (usage): no such key, an empty list, a value that repeats or does not fit the key.
[[nodiscard]] DraftAxis read_axis(const std::string& key, const TomlValue& value);
/// A single value as a list of one; lists and ranges as they are.
[[nodiscard]] TomlValue one_or_many(const TomlValue& value);

/// The type of an axis over all its values in the form of the key: all integers; numbers; else text.
[[nodiscard]] ColumnType axis_type(const DraftAxis& axis);
/// One of its values as it is stored; `type`: that of its axis.
[[nodiscard]] AxisValue axis_value(const TomlValue& value, ColumnType type);

}  // namespace palstudy
