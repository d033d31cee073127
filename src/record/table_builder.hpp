// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "record/tables.hpp"

namespace palstudy {

/// Fills a text column: a name gets its code when it first occurs.
class TextBuilder {
 public:
  void reserve(std::size_t rows) { column_.codes.reserve(rows); }
  void add(const std::string& name) { column_.codes.push_back(code(name)); }
  /// The name of something with a small index; each name is computed once, by `name(index)`.
  template <class Name>
  void add(std::size_t index, Name&& name) {
    if (index >= known_.size()) known_.resize(index + 1, -1);
    if (known_[index] < 0) known_[index] = code(name(index));
    column_.codes.push_back(known_[index]);
  }
  [[nodiscard]] TextColumn take() { return std::move(column_); }

 private:
  std::int32_t code(const std::string& name) {
    const auto [place, fresh] = codes_.try_emplace(name, static_cast<std::int32_t>(column_.names.size()));
    if (fresh) column_.names.push_back(name);
    return place->second;
  }
  TextColumn column_;
  std::map<std::string, std::int32_t> codes_;
  std::vector<std::int32_t> known_;  // code by index; -1: none yet
};

/// Makes a table column by column, in schema order. Columns are made value by value: `value(row)`.
class TableBuilder {
 public:
  TableBuilder(TableId table, std::size_t rows) : table_(table), rows_(rows) {}
  /// A table whose first column is the run of its rows.
  TableBuilder(TableId table, std::size_t rows, std::int64_t run) : TableBuilder(table, rows) {
    integers("run", [run](std::size_t) { return run; });
  }

  /// A fixed column by name. Errors (fault): the schema has none of that name and type.
  void add(std::string_view name, ColumnValues values) {
    const Column* column = find_column(table_, name);
    if (!column) throw fault("no column " + std::string(name) + " in the schema");
    add(*column, std::move(values));
  }
  void add(const Column& column, ColumnValues values) {
    static constexpr ColumnType types[] = {ColumnType::integer, ColumnType::real, ColumnType::text};
    if (types[values.index()] != column.type) throw fault("column " + column.name + " is of another type");
    data_.columns.push_back(column);
    data_.values.push_back(std::move(values));
  }
  void integer(std::string_view name, std::int64_t value) { add(name, std::vector<std::int64_t>{value}); }
  void real(std::string_view name, double value) { add(name, std::vector<double>{value}); }
  void text(std::string_view name, const std::string& value) { add(name, TextColumn{{0}, {value}}); }
  /// bool and narrow integers become int64.
  template <class Make>
  void integers(std::string_view name, Make&& value) {
    std::vector<std::int64_t> values(rows_);
    for (std::size_t i = 0; i < rows_; ++i) values[i] = static_cast<std::int64_t>(value(i));
    add(name, std::move(values));
  }
  template <class Make>
  void reals(std::string_view name, Make&& value) {
    std::vector<double> values(rows_);
    for (std::size_t i = 0; i < rows_; ++i) values[i] = value(i);
    add(name, std::move(values));
  }
  /// Texts `name_of(index(row))`; the indices are small, and each name is computed once.
  template <class Name, class Index>
  void texts(std::string_view name, Name&& name_of, Index&& index) {
    TextBuilder values;
    values.reserve(rows_);
    for (std::size_t i = 0; i < rows_; ++i) values.add(static_cast<std::size_t>(index(i)), name_of);
    add(name, values.take());
  }
  [[nodiscard]] TableData take() { return std::move(data_); }

 private:
  TableId table_;
  std::size_t rows_;
  TableData data_;
};

/// The name with this index, empty where there are fewer.
[[nodiscard]] inline std::string name_of(const std::vector<std::string>& names, std::size_t index) {
  return index < names.size() ? names[index] : std::string();
}

}  // namespace palstudy
