// SPDX-License-Identifier: MIT
#include "record/table.hpp"

#include "core/error.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

template <class Values>
const Values& values_of(const TableData& table, const std::string& column) {
  const std::string where = table.columns.empty() ? column : column_path(table.columns.front().table, column);
  constexpr const char* advice = "restore the archive from a copy or run the study again";
  const ColumnValues* values = table.find(column);
  if (values == nullptr) throw data_error("the column is missing", where, advice);
  const auto* typed = std::get_if<Values>(values);
  if (typed == nullptr) throw data_error("the column is of another type", where, advice);
  return *typed;
}

}  // namespace

std::size_t size(const ColumnValues& values) {
  if (const auto* text = std::get_if<TextColumn>(&values)) return text->codes.size();
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) return integers->size();
  return std::get<std::vector<double>>(values).size();
}

std::size_t TableData::rows() const { return values.empty() ? 0 : size(values.front()); }

const ColumnValues* TableData::find(std::string_view name) const {
  for (std::size_t i = 0; i < columns.size() && i < values.size(); ++i) {
    if (columns[i].name == name) return &values[i];
  }
  return nullptr;
}

const std::vector<std::int64_t>& integers_of(const TableData& table, const std::string& column) {
  return values_of<std::vector<std::int64_t>>(table, column);
}
const std::vector<double>& reals_of(const TableData& table, const std::string& column) {
  return values_of<std::vector<double>>(table, column);
}
const TextColumn& texts_of(const TableData& table, const std::string& column) {
  return values_of<TextColumn>(table, column);
}

}  // namespace palstudy
