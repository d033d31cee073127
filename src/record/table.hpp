// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace palstudy {

/// How a column is stored; the letter is the one that enters the digest (hdf5-schemas/digest.md).
enum class ColumnType : char { integer = 'i', real = 'f', text = 's' };

enum class TableId : std::uint8_t;  // the tables: record/tables.hpp

/// One column of a table.
struct Column {
  TableId table;
  std::string name;
  std::string units;  ///< UCUM spelling; "1" for none
  std::string long_name;
  ColumnType type;
  bool digested;          ///< false: digest, offsets and counts, wall times, memory, users
  bool optional = false;  ///< true: stored only where the study has such values
};

/// The values of a column. Text is kept as codes into names, as it is stored.
struct TextColumn {
  std::vector<std::int32_t> codes;
  std::vector<std::string> names;
  [[nodiscard]] const std::string& at(std::size_t row) const { return names[static_cast<std::size_t>(codes[row])]; }
};
using ColumnValues = std::variant<std::vector<std::int64_t>, std::vector<double>, TextColumn>;

/// The number of values of a column.
[[nodiscard]] std::size_t size(const ColumnValues& values);

/// Rows of one table: values[i] belongs to columns[i]; all of one length.
struct TableData {
  std::vector<Column> columns;
  std::vector<ColumnValues> values;
  /// The length of its first column; 0 without columns.
  [[nodiscard]] std::size_t rows() const;
  /// Values of a column by name; nullptr if there is none.
  [[nodiscard]] const ColumnValues* find(std::string_view name) const;
};

/// The values of a column that must be there and be of that type. Errors (data): they are not.
[[nodiscard]] const std::vector<std::int64_t>& integers_of(const TableData& table, const std::string& column);
[[nodiscard]] const std::vector<double>& reals_of(const TableData& table, const std::string& column);
[[nodiscard]] const TextColumn& texts_of(const TableData& table, const std::string& column);

}  // namespace palstudy
