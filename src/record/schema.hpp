// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/table.hpp"

namespace palstudy {

inline constexpr const char* archive_schema_name = "palstudy-archive";
/// Another first number is refused by readers; another second one has more than this.
inline constexpr const char* archive_schema_version = "1.7.0";

/// The fixed columns in schema order, those of an axis left out (they come after `seed` in /runs and are given by the
/// study). Shards, HDF5, export, digest, `palstudy list columns` and docs/ follow from them.
[[nodiscard]] const std::vector<Column>& schema_columns();

/// A fixed column by name; nullptr for a name that the table does not have, such as an axis.
[[nodiscard]] const Column* find_column(TableId table, std::string_view name);

/// The columns that depend on the study: an axis in /runs, named by its key as written (the axis "seed" is the fixed
/// column `seed` and gets no second one), and the mean slowdown of a node's GPUs for one class in /nodes.
[[nodiscard]] Column axis_column(const std::string& key, ColumnType type);
[[nodiscard]] Column slowdown_column(const std::string& class_name);

}  // namespace palstudy
