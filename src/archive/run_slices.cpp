// SPDX-License-Identifier: MIT
#include "archive/run_slices.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

ColumnValues cut(const TextColumn& text, std::size_t begin, std::size_t end) {
  TextColumn cut_text;
  std::map<std::int32_t, std::int32_t> recoded;
  for (std::size_t row = begin; row < end; ++row) {
    const auto [place, fresh] = recoded.try_emplace(text.codes[row], static_cast<std::int32_t>(cut_text.names.size()));
    if (fresh) cut_text.names.push_back(text.at(row));
    cut_text.codes.push_back(place->second);
  }
  return cut_text;
}
template <class T>
ColumnValues cut(const std::vector<T>& values, std::size_t begin, std::size_t end) {
  const auto at = [&](std::size_t row) { return values.begin() + static_cast<std::ptrdiff_t>(row); };
  return std::vector<T>(at(begin), at(end));
}

template <class Change>
void set_integers(TableData& table, const std::string& column, Change change) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].name != column) continue;
    for (std::int64_t& value : std::get<std::vector<std::int64_t>>(table.values[c])) value = change(value);
  }
}

Error not_in_order(TableId id) {
  return data_error("the rows are not in the order of their runs", column_path(id, "run"),
                    "restore the archive from a copy or run the study again");
}

}  // namespace

TableData slice(const TableData& table, std::size_t begin, std::size_t end) {
  TableData rows;
  rows.columns = table.columns;
  for (const ColumnValues& values : table.values) {
    rows.values.push_back(std::visit([&](const auto& v) { return cut(v, begin, end); }, values));
  }
  return rows;
}

namespace {

std::set<TableId> ids_of_all_tables() {
  std::set<TableId> ids;
  for (const Table& table : all_tables()) ids.insert(table.id);
  return ids;
}

}  // namespace

RunSlices::RunSlices(const ArchiveReader& archive) : RunSlices(archive, ids_of_all_tables()) {}

RunSlices::RunSlices(const ArchiveReader& archive, const std::set<TableId>& only) {
  for (const Table& table : all_tables()) {
    const bool always = table.id == TableId::runs;
    if (!always && (!only.contains(table.id) || !archive.has(table.id))) continue;
    const TableData& data = tables_.emplace(table.id, archive.table(table.id)).first->second;
    if (table.id == TableId::event_gpus) continue;
    const auto& runs = integers_of(data, "run");
    if (!std::ranges::is_sorted(runs)) throw not_in_order(table.id);
  }
  rows_ = integers_of(tables_.at(TableId::runs), "run");
  if (std::ranges::adjacent_find(rows_) != rows_.end()) throw not_in_order(TableId::runs);
}

RunSlices::Range RunSlices::range(TableId id, std::size_t i) const {
  const auto& runs = integers_of(tables_.at(id), "run");
  const auto [begin, end] = std::equal_range(runs.begin(), runs.end(), rows_[i]);
  return {static_cast<std::size_t>(begin - runs.begin()), static_cast<std::size_t>(end - runs.begin())};
}

RunRecord RunSlices::record(std::size_t i) const {
  RunRecord record;
  for (const auto& [id, table] : tables_) {
    if (id == TableId::event_gpus) continue;
    const Range rows = range(id, i);
    record.*table_of(id).data = slice(table, rows.begin, rows.end);
  }
  record.run = rows_[i];
  record.id = texts_of(record.runs, "id").at(0);
  record.digest = texts_of(record.runs, "digest").at(0);
  record.status =
      texts_of(record.runs, "status").at(0) == status_name(RunStatus::done) ? RunStatus::done : RunStatus::failed;
  if (has(TableId::provenance_runs) && record.provenance.rows() == 1 && record.provenance.find("reason")) {
    record.reason = texts_of(record.provenance, "reason").at(0);
  }
  set_integers(record.runs, "job_begin", [](std::int64_t) { return 0; });
  if (!has(TableId::events) || !has(TableId::event_gpus)) return record;
  const std::size_t gpus = tables_.at(TableId::event_gpus).rows();
  std::size_t begin = 0, end = 0;
  for (std::size_t row = 0; row < record.events.rows(); ++row) {
    const auto first = static_cast<std::uint64_t>(integers_of(record.events, "gpu_begin")[row]);
    const auto count = static_cast<std::uint64_t>(integers_of(record.events, "gpu_count")[row]);
    if (row == 0) begin = end = static_cast<std::size_t>(first);
    if (first != end || count > gpus || first > gpus - count) {
      throw data_error("event " + std::to_string(row) + " of run " + std::to_string(record.run) +
                           " does not have its GPUs after those of the event before",
                       "/events/gpu_begin", "restore the archive from a copy or run the study again");
    }
    end = static_cast<std::size_t>(first + count);
  }
  record.event_gpus = slice(tables_.at(TableId::event_gpus), begin, end);
  set_integers(record.events, "gpu_begin", [&](std::int64_t row) { return row - static_cast<std::int64_t>(begin); });
  return record;
}

}  // namespace palstudy
