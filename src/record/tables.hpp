// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>

#include "record/schema.hpp"
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

/// The declaration of a table. Its columns are in record/schema.cpp, its rows are made in record/record.cpp.
struct Table {
  TableId id;
  const char* name;            ///< "/jobs"; "/events/gpu"
  const char* group;           ///< HDF5 group of its columns
  TableData RunRecord::*data;  ///< its rows of one run
  const char* rows;            ///< what a row is, for `palstudy list tables`
  const char* how_to_get;      ///< advice where an archive lacks it
  bool digested;
  double shard_bytes, archive_bytes;  ///< of a row, measured over archives of experiments/: for forecasts of disk
  const char* scale = "row";          ///< dimension scale of its columns: `run` where it identifies the rows, else a
                                      ///< dataset without values
  const char* columns = "columns";    ///< attribute of the group that lists its columns in schema order
};

/// Every table, by TableId.
inline constexpr std::array all_tables = {
    Table{TableId::runs, "/runs", "/runs", &RunRecord::runs, "a run: its axes and its metrics",
          "restore the archive from a copy", true, 2500, 140, "run"},
    Table{TableId::jobs, "/jobs", "/jobs", &RunRecord::jobs, "a job that arrived or was measured (output.jobs)",
          "run the study with output.jobs = true", true, 172, 20},
    Table{TableId::events, "/events", "/events", &RunRecord::events,
          "a change of a job's GPUs, ordered by time, kind and job (output.events)",
          "run the study with output.events = true", true, 44, 3},
    Table{TableId::event_gpus, "/events/gpu", "/events", &RunRecord::event_gpus,
          "a GPU of an event: rows gpu_begin to gpu_begin + gpu_count of /events",
          "run the study with output.events = true", true, 8, 0.75, "gpu_row", "gpu_columns"},
    Table{TableId::rounds, "/rounds", "/rounds", &RunRecord::rounds,
          "a boundary after which the state differs from the one before (output.rounds)",
          "run the study with output.rounds = true", true, 48, 3},
    Table{TableId::nodes, "/nodes", "/nodes", &RunRecord::nodes,
          "a node of a run, on clusters of at most 16384 nodes; slowdown_<class> stands between cabinet and busy_s",
          "run the study on at most 16384 nodes", false, 96, 5},
    Table{TableId::provenance_runs, "/provenance/runs", "/provenance/runs", &RunRecord::provenance,
          "a run: wall time, memory, cores, why it failed", "restore the archive from a copy", false, 0, 0, "run"},
    Table{TableId::delays, "/delays", "/delays", &RunRecord::delays,
          "a row of /jobs, in its order, of runs with tenants (docs/tenants.md): seconds of waiting by cause",
          "run the study with quotas under [tenants] (docs/tenants.md)", true, 64, 1},
    Table{TableId::failures, "/failures", "/failures", &RunRecord::failures,
          "an attempt at a job that failed, ordered by time, job and attempt (docs/failures.md)",
          "run the study with failures.model (docs/failures.md)", true, 80, 18},
    Table{
        TableId::power, "/power", "/power", &RunRecord::power,
        "where the energy of a run went: busy nodes by class of jobs, their unused GPUs, and the other states of nodes "
        "(docs/energy.md)",
        "run the study with power.account = true (docs/energy.md)", true, 48, 30},
    Table{TableId::solves, "/solves", "/solves", &RunRecord::solves,
          "a solution of a linear program by the scheduler, ordered by time and partition (docs/policies.md, Gavel)",
          "run the study with policy.scheduler = \"gavel\" (docs/policies.md)", false, 76, 6},
};

[[nodiscard]] constexpr const Table& table_of(TableId id) { return all_tables.at(static_cast<std::size_t>(id)); }

/// The dataset of a column, and that of the names of a text column.
[[nodiscard]] std::string column_path(TableId id, const std::string& column);
[[nodiscard]] std::string names_path(TableId id, const std::string& column);
/// Whether a text column is stored as its texts, not as codes: one that hardly repeats.
[[nodiscard]] bool stored_as_text(TableId id, const std::string& column);

}  // namespace palstudy
