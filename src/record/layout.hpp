// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "record/record.hpp"

namespace palstudy {

inline constexpr const char* archive_schema_name = "palstudy-archive";
/// Another first number is refused by readers; another second one has more than this.
inline constexpr const char* archive_schema_version = "1.6.0";

/// The attribute `Conventions` of the root: schema name, "-", and the first two numbers of its version.
[[nodiscard]] std::string archive_conventions();

/// Every table, in the order in which the archive is written.
inline constexpr std::array<TableId, 9> all_tables = {
    TableId::runs,    TableId::jobs,  TableId::events,          TableId::event_gpus,
    TableId::rounds,  TableId::nodes, TableId::provenance_runs, TableId::delays,
    TableId::failures};

/// The group of a table, as "/jobs"; that of event_gpus is "/events" too, with the dataset `gpu`.
[[nodiscard]] std::string table_group(TableId id);
/// What a person calls it: "/jobs", "/events/gpu".
[[nodiscard]] std::string table_name(TableId id);
/// The attribute of the group that lists the table's columns in schema order.
[[nodiscard]] std::string columns_attribute(TableId id);
/// The dimension scale of a table's columns: the column `run` where it tells the rows apart, else a dataset without
/// values.
[[nodiscard]] std::string rows_path(TableId id);
/// The dataset of a column, and that of the names of a text column.
[[nodiscard]] std::string column_path(TableId id, const std::string& column);
[[nodiscard]] std::string names_path(TableId id, const std::string& column);
/// Whether a text column is stored as its texts, not as codes: one that hardly repeats.
[[nodiscard]] bool stored_as_text(TableId id, const std::string& column);

[[nodiscard]] const TableData& table_of(const RunRecord& record, TableId id);
[[nodiscard]] TableData& table_of(RunRecord& record, TableId id);

/// The values of a column that must be there and be of that type. Errors (data): they are not.
[[nodiscard]] const std::vector<std::int64_t>& integers_of(const TableData& table, const std::string& column);
[[nodiscard]] const std::vector<double>& reals_of(const TableData& table, const std::string& column);
[[nodiscard]] const TextColumn& texts_of(const TableData& table, const std::string& column);

[[nodiscard]] std::string status_name(RunStatus status);

}  // namespace palstudy
