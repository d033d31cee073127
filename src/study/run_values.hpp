// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace palstudy {

/// Columns of /runs (and of /provenance/runs) as text and numbers, by run.
class RunValues {
 public:
  explicit RunValues(const ArchiveReader& archive);
  [[nodiscard]] std::size_t runs() const { return rows_; }
  [[nodiscard]] const std::vector<std::string>& axes() const { return axes_; }
  [[nodiscard]] bool has(const std::string& column) const { return columns_.contains(column); }
  /// As in the study.
  [[nodiscard]] std::string text(const std::string& column, std::size_t run) const;
  /// Errors (usage): the column holds text.
  [[nodiscard]] double number(const std::string& column, std::size_t run) const;

 private:
  void add(const TableData& table);
  std::size_t rows_ = 0;
  std::vector<std::string> axes_;
  std::map<std::string, ColumnValues> columns_;
};

}  // namespace palstudy
