// SPDX-License-Identifier: MIT
#include "record/layout.hpp"

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

template <class Values>
const Values& values_of(const TableData& table, const std::string& column) {
  const std::string where = table.columns.empty() ? column : column_path(table.columns.front().table, column);
  const ColumnValues* values = table.find(column);
  if (values == nullptr) throw data_error("the column is missing", where, "The archive is damaged or not ours.");
  const auto* typed = std::get_if<Values>(values);
  if (typed == nullptr) throw data_error("the column is of another type", where, "The archive is damaged or not ours.");
  return *typed;
}

}  // namespace

std::string archive_conventions() {
  const std::string version = archive_schema_version;
  return std::string(archive_schema_name) + "-" + version.substr(0, version.rfind('.'));
}

std::string table_group(TableId id) {
  switch (id) {
    case TableId::runs:
      return "/runs";
    case TableId::jobs:
      return "/jobs";
    case TableId::events:
    case TableId::event_gpus:
      return "/events";
    case TableId::rounds:
      return "/rounds";
    case TableId::delays:
      return "/delays";
    case TableId::nodes:
      return "/nodes";
    case TableId::provenance_runs:
      return "/provenance/runs";
    case TableId::failures:
      return "/failures";
  }
  throw fault("a table without a group");
}

std::string table_name(TableId id) { return id == TableId::event_gpus ? "/events/gpu" : table_group(id); }

std::string columns_attribute(TableId id) { return id == TableId::event_gpus ? "gpu_columns" : "columns"; }

std::string rows_path(TableId id) {
  switch (id) {
    case TableId::runs:
    case TableId::provenance_runs:
      return table_group(id) + "/run";
    case TableId::event_gpus:
      return table_group(id) + "/gpu_row";
    default:
      return table_group(id) + "/row";
  }
}

std::string column_path(TableId id, const std::string& column) { return table_group(id) + "/" + link_name(column); }

std::string names_path(TableId id, const std::string& column) {
  std::string table = table_group(id).substr(1);
  for (char& c : table) {
    if (c == '/') c = '.';
  }
  return "/names/" + table + "." + link_name(column);
}

bool stored_as_text(TableId id, const std::string& column) {
  return id == TableId::runs && (column == "id" || column == "digest");
}

const TableData& table_of(const RunRecord& record, TableId id) {
  switch (id) {
    case TableId::runs:
      return record.runs;
    case TableId::jobs:
      return record.jobs;
    case TableId::events:
      return record.events;
    case TableId::event_gpus:
      return record.event_gpus;
    case TableId::rounds:
      return record.rounds;
    case TableId::delays:
      return record.delays;
    case TableId::nodes:
      return record.nodes;
    case TableId::provenance_runs:
      return record.provenance;
    case TableId::failures:
      return record.failures;
  }
  throw fault("a table without a place in a record");
}

TableData& table_of(RunRecord& record, TableId id) {
  return const_cast<TableData&>(table_of(static_cast<const RunRecord&>(record), id));
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

std::string status_name(RunStatus status) { return status == RunStatus::done ? "done" : "failed"; }

}  // namespace palstudy
