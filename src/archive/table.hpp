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

enum class TableId { runs, jobs, events, event_gpus, rounds, nodes, provenance_runs };

/// One column of a table. This table of columns drives shards, HDF5, export, digest, `list columns` and docs/.
struct Column {
  TableId table;
  std::string name;
  std::string units;      ///< UCUM spelling; "1" for none
  std::string long_name;
  ColumnType type;
  bool digested;          ///< false: digest, offsets and counts, wall times, memory
};

/// The fixed columns in schema order, those of an axis left out (they come after `seed` in /runs and are given by the
/// study).
[[nodiscard]] const std::vector<Column>& schema_columns();

/// The values of a column. Text is kept as codes into names, as it is stored.
struct TextColumn {
  std::vector<std::int32_t> codes;
  std::vector<std::string> names;
};
using ColumnValues = std::variant<std::vector<std::int64_t>, std::vector<double>, TextColumn>;

/// Rows of one table: values[i] belongs to columns[i]; all of one length.
struct TableData {
  std::vector<Column> columns;
  std::vector<ColumnValues> values;
  [[nodiscard]] std::size_t rows() const;
};

}  // namespace palstudy
