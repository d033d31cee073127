// SPDX-License-Identifier: MIT
#include "record/table.hpp"

namespace palstudy {

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

}  // namespace palstudy
