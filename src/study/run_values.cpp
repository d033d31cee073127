// SPDX-License-Identifier: MIT
#include "study/run_values.hpp"

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {

RunValues::RunValues(const ArchiveReader& archive) : axes_(archive.axis_keys()) {
  const TableData runs = archive.table(TableId::runs);
  rows_ = runs.rows();
  add(runs);
  if (archive.has(TableId::provenance_runs)) add(archive.table(TableId::provenance_runs));
}

void RunValues::add(const TableData& table) {
  if (table.rows() != rows_) return;
  for (std::size_t c = 0; c < table.columns.size(); ++c) columns_.emplace(table.columns[c].name, table.values[c]);
}

std::string RunValues::text(const std::string& column, std::size_t run) const {
  const ColumnValues& values = columns_.at(column);
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) return std::to_string((*integers)[run]);
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) return shortest((*reals)[run]);
  const auto& names = std::get<TextColumn>(values);
  return names.names[static_cast<std::size_t>(names.codes[run])];
}

double RunValues::number(const std::string& column, std::size_t run) const {
  const ColumnValues& values = columns_.at(column);
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    return static_cast<double>((*integers)[run]);
  }
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) return (*reals)[run];
  throw usage_error("is text, not a number", column);
}

}  // namespace palstudy
