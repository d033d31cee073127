// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/table.hpp"

namespace palstudy {

/// The tables, in the order in which shards and archives hold them. The numbers are hashed: a new table comes last.
enum class TableId : std::uint8_t {
  runs,
  jobs,
  events,
  event_gpus,
  rounds,
  nodes,
  provenance_runs,
  delays,
  failures,
  power,
  solves
};

enum class RunStatus : std::uint8_t { done, failed };
/// "done" or "failed", as /runs has it.
[[nodiscard]] std::string status_name(RunStatus status);

/// One finished run on its way into a shard: all tables, ready to be framed. A table that the
/// study leaves out or that the run does not need is empty.
struct RunRecord {
  std::int64_t run = 0;  ///< its place in the product of the axes
  std::string id;        ///< 16 hex digits: hash of its resolved point
  RunStatus status = RunStatus::done;
  std::string reason;  ///< of a failed run
  std::string digest;  ///< 64 hex digits, SHA-256 (hdf5-schemas/digest.md)
  TableData runs, jobs, events, event_gpus, rounds, nodes, provenance, delays, failures, power, solves;
};

enum class Digest { yes, no };          ///< whether a column of a digested table is digested
enum class Stored { always, if_used };  ///< if_used: where the study has such values

struct ColumnInfo {
  const char *name, *units, *long_name;  ///< units in UCUM spelling, "1" for none
  ColumnType type;
  Digest digest = Digest::yes;
  Stored stored = Stored::always;
};

struct RecordInput;  // what rows are made of: record/record.hpp

/// A table: its declaration, its columns and how its rows are made, in one file of record/tables/.
struct Table {
  TableId id;
  const char* name;            ///< "/jobs"; "/events/gpu"
  const char* group;           ///< HDF5 group of its columns
  TableData RunRecord::*data;  ///< its rows of one run
  const char* rows;            ///< what a row is, for `palstudy list tables`
  const char* how_to_get;      ///< advice where an archive lacks it
  bool digested;
  double shard_bytes, archive_bytes;  ///< of a row, measured over archives of experiments/: for forecasts of disk
  std::span<const ColumnInfo> columns;
  TableData (*make)(const RecordInput& run);  ///< without columns: this run has none
  const char* scale = "row";                  ///< dimension scale of its columns: `run` where it identifies the rows,
                                              ///< else a dataset without values
  const char* column_list = "columns";        ///< attribute of the group that lists its columns in schema order
};
using TableRegistry = std::vector<Table>;

/// Every table, by TableId.
[[nodiscard]] const TableRegistry& all_tables();
[[nodiscard]] const Table& table_of(TableId id);

/// The dataset of a column, and that of the names of a text column.
[[nodiscard]] std::string column_path(TableId id, const std::string& column);
[[nodiscard]] std::string names_path(TableId id, const std::string& column);
/// Whether a text column is stored as its texts, not as codes: one that hardly repeats.
[[nodiscard]] bool stored_as_text(TableId id, const std::string& column);

inline constexpr const char* archive_schema_name = "palstudy-archive";
/// Another first number is refused by readers; another second one has more than this.
inline constexpr const char* archive_schema_version = "1.10.0";

/// The fixed columns in schema order, those of an axis left out (they come after `seed` in /runs and are given by the
/// study). Shards, HDF5, export, digest, `palstudy list columns` and docs/ follow from them.
[[nodiscard]] const std::vector<Column>& schema_columns();

/// A fixed column by name; nullptr for a name that the table does not have, such as an axis.
[[nodiscard]] const Column* find_column(TableId table, std::string_view name);

/// The columns that depend on the study: an axis in /runs, named by its key as written (the axis "seed" is the fixed
/// column `seed` and gets no second one), and the mean slowdown of a node's GPUs for one class in /nodes.
[[nodiscard]] Column axis_column(const std::string& key, ColumnType type);
[[nodiscard]] Column slowdown_column(const std::string& class_name);

}  // namespace palstudy
