// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "record/record.hpp"
#include "study/parsed_study.hpp"

namespace palstudy {

/// The table `[axes]`: `"section.key" = [...]` or `"seed" = { first = 1, count = 30 }`.
[[nodiscard]] std::map<std::string, ParsedAxis> read_axes(const TomlValue& table);
/// One axis. Errors (usage): no such key, an empty list, a value that repeats or does not fit the key.
[[nodiscard]] ParsedAxis read_axis(const std::string& key, const TomlValue& value);
/// A single value as a list of one; lists and ranges as they are.
[[nodiscard]] TomlValue one_or_many(const TomlValue& value);

/// The type of an axis over all its values in the form of the key: all integers; numbers; else text.
[[nodiscard]] ColumnType axis_type(const ParsedAxis& axis);
/// One of its values as it is stored; `type`: that of its axis.
[[nodiscard]] AxisValue axis_value(const TomlValue& value, ColumnType type);

/// Whether the key is `seed`, `cluster.seed`, ...
[[nodiscard]] bool is_seed_key(const std::string& key);

/// How many runs the axes make. Errors (usage): too many.
[[nodiscard]] std::size_t count_runs(const ParsedStudy& parsed);
/// The given values of run `number`: its place in the product of the axes, keys sorted and the last one fastest, but
/// seeds slowest, so that adding seeds appends.
[[nodiscard]] KeyValues values_of(const ParsedStudy& parsed, std::size_t number);

}  // namespace palstudy
