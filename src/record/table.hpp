// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace palstudy {

/// How a column is stored; the letter is the one that enters the digest (design section 3).
enum class ColumnType : char { integer = 'i', real = 'f', text = 's' };

enum class TableId { runs, jobs, events, event_gpus, rounds, nodes, provenance_runs, delays, failures };

/// One column of a table. This table of columns drives shards, HDF5, export, digest, `list columns` and docs/.
struct Column {
  TableId table;
  std::string name;
  std::string units;  ///< UCUM spelling; "1" for none
  std::string long_name;
  ColumnType type;
  bool digested;          ///< false: digest, offsets and counts, wall times, memory, users
  bool optional = false;  ///< true: stored only where the study has such values
};

/// The fixed columns in schema order, those of an axis left out (they come after `seed` in /runs and are given by the
/// study).
[[nodiscard]] const std::vector<Column>& schema_columns();

/// A fixed column by name; nullptr for a name that the table does not have, such as an axis.
[[nodiscard]] const Column* find_column(TableId table, std::string_view name);

/// The columns that depend on the study: an axis in /runs, named by its key as written (the axis "seed" is the fixed
/// column `seed` and gets no second one), and the mean slowdown of a node's GPUs for one class in /nodes.
[[nodiscard]] Column axis_column(const std::string& key, ColumnType type);
[[nodiscard]] Column slowdown_column(const std::string& class_name);

/// The values of a column. Text is kept as codes into names, as it is stored.
struct TextColumn {
  std::vector<std::int32_t> codes;
  std::vector<std::string> names;
  [[nodiscard]] const std::string& at(std::size_t row) const { return names[static_cast<std::size_t>(codes[row])]; }
};
using ColumnValues = std::variant<std::vector<std::int64_t>, std::vector<double>, TextColumn>;

/// Rows of one table: values[i] belongs to columns[i]; all of one length.
struct TableData {
  std::vector<Column> columns;
  std::vector<ColumnValues> values;
  /// Of its first column; 0 without columns.
  [[nodiscard]] std::size_t rows() const;
  /// Values of a column by name; nullptr if there is none.
  [[nodiscard]] const ColumnValues* find(std::string_view name) const;
};

/// The number of values of a column.
[[nodiscard]] std::size_t size(const ColumnValues& values);

}  // namespace palstudy
