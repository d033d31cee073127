// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "record/record.hpp"

namespace palstudy {

/// One table of many runs on its way into an archive, in two passes over the runs in their order: `see` each, `begin`,
/// `add` each, `end`. In memory is a chunk of each column, and the distinct names of its texts.
///
/// Text gets new codes, by names sorted by their bytes, so that the result does not depend on which process wrote which
/// record.
/// The columns are those of any run, each after the one it follows in its record; where a run lacks one, its rows are
/// NaN, 0 or empty. Nothing is written if no run has any.
class TableWriter {
 public:
  explicit TableWriter(TableId id) : id_(id) {}

  /// Errors (fault): a column of another type than in a run before.
  void see(const TableData& table);
  /// Makes the datasets.
  void begin(hdf5::File& file);
  /// `instead`: values of columns that differ from the table's. Errors (fault): a run that was not seen.
  void add(const TableData& table, const std::map<std::string, ColumnValues>& instead = {});
  void end(hdf5::File& file);

 private:
  struct ColumnState {
    Column column;
    std::set<std::string> texts;  // that some row has
    std::size_t width = 1;        // bytes of the longest
    std::map<std::string, std::int32_t> codes = {};
    std::unique_ptr<hdf5::Stream> out = nullptr;
  };

  void see(ColumnState& state, const TextColumn& text) const;
  void begin(ColumnState& state, hdf5::File& file) const;
  void add(const ColumnState& state, const ColumnValues& values) const;
  void add_absent(const ColumnState& state, std::size_t rows) const;

  TableId id_;
  std::vector<ColumnState> columns_;
  std::size_t rows_ = 0;
};

}  // namespace palstudy
