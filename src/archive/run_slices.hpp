// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "archive/reader.hpp"

namespace palstudy {

/// Rows begin..end of a table; its text columns name only what occurs in them.
[[nodiscard]] TableData slice(const TableData& table, std::size_t begin, std::size_t end);

/// The tables of an archive, cut back into the records that it was made of.
class RunSlices {
 public:
  /// Reads the tables that there are. Errors (data): as ArchiveReader::table; rows that are not in run order.
  explicit RunSlices(const ArchiveReader& archive);
  /// The same of these tables alone, and of /runs.
  RunSlices(const ArchiveReader& archive, const std::set<TableId>& only);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// The i-th run in run order. Offsets count from its own first row again, as in the record that was written.
  /// Errors (data): events whose GPUs do not lie in /events/gpu.
  [[nodiscard]] RunRecord record(std::size_t i) const;
  [[nodiscard]] bool has(TableId id) const { return tables_.contains(id); }
  [[nodiscard]] const TableData& table(TableId id) const { return tables_.at(id); }
  [[nodiscard]] const std::map<TableId, TableData>& tables() const { return tables_; }

  struct Range {
    std::size_t begin = 0, end = 0;
  };
  /// The rows of the i-th run in a table.
  [[nodiscard]] Range range(TableId id, std::size_t i) const;

 private:
  std::map<TableId, TableData> tables_;
  std::vector<std::int64_t> rows_;  // the run of each row of /runs
};

}  // namespace palstudy
