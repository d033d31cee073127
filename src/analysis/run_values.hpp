// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "archive/reader.hpp"
#include "study/study.hpp"

namespace palstudy {

/// A number for each distinct value of a column, by row, in the order of first occurrence: 0, 1, 2, ...
using Codes = std::vector<std::uint32_t>;

/// The numbers of the distinct combinations of several columns.
[[nodiscard]] Codes combined(const std::vector<Codes>& columns, std::size_t rows);

/// Columns of /runs (and of /provenance/runs), by row. A row is a run, or after `spread` a group of the jobs of a run.
/// A column is read at its first use, so that a large archive is not read whole. The archive must outlive it.
class RunValues {
 public:
  explicit RunValues(const ArchiveReader& archive);
  [[nodiscard]] std::size_t rows() const { return run_of_row_.size(); }
  [[nodiscard]] const std::vector<std::string>& axes() const { return axes_; }
  [[nodiscard]] bool has(const std::string& column) const;
  /// As in the study.
  [[nodiscard]] std::string text(const std::string& column, std::size_t row) const;
  /// Errors (usage): the column holds text.
  [[nodiscard]] double number(const std::string& column, std::size_t row) const;
  [[nodiscard]] const ColumnValues& values(const std::string& column) const;
  [[nodiscard]] Codes codes(const std::string& column) const;
  /// That the archive keeps, read at its first use; null where it keeps none.
  [[nodiscard]] const Study* study() const { return shared_study().get(); }
  /// The same for what outlives this.
  [[nodiscard]] std::shared_ptr<const Study> shared_study() const;
  /// Errors: as `parse_study`, also where the archive keeps none.
  [[nodiscard]] const Study& needed_study() const;
  /// Whether some run of that study is such; none is where there is no study.
  [[nodiscard]] bool any_run(bool (*such)(const RunPlan&)) const;

  /// From now on every run has one row for each of its `rows` of them; `columns` have one value a new row, and stand
  /// before the run's own columns of that name.
  void spread(std::vector<std::size_t> run_of_row, std::map<std::string, ColumnValues> columns);
  /// A column more, with a value for each run.
  void add(const std::string& column, ColumnValues values) { read_.insert_or_assign(column, std::move(values)); }
  [[nodiscard]] std::size_t run_of(std::size_t row) const { return run_of_row_[row]; }

 private:
  struct Place {
    const ColumnValues& values;
    std::size_t row;
  };
  [[nodiscard]] Place place(const std::string& column, std::size_t row) const;

  const ArchiveReader& archive_;
  std::vector<std::string> axes_;
  std::map<std::string, TableId> table_of_;
  std::vector<std::size_t> run_of_row_;
  mutable std::map<std::string, ColumnValues> read_;
  mutable std::shared_ptr<const Study> study_;
  std::map<std::string, ColumnValues> of_row_;
};

/// What traces are called for people: the name of the file without folder and endings ("sia1"), where no other of them
/// has that name; by the path as the study writes it.
[[nodiscard]] std::map<std::string, std::string> trace_names(const std::vector<std::string>& paths);

}  // namespace palstudy
