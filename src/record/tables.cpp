// SPDX-License-Identifier: MIT
#include "record/tables.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "sim/result.hpp"

namespace palstudy {

void register_tables(TableRegistry& tables);  // generated: cmake/PalstudyRegister.cmake

const TableRegistry& all_tables() {
  static const TableRegistry tables = [] {
    TableRegistry all;
    register_tables(all);
    std::ranges::sort(all, {}, &Table::id);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].id != TableId(i)) throw fault(std::string("the table before ") + all[i].name + " is missing");
    }
    return all;
  }();
  return tables;
}

const Table& table_of(TableId id) { return all_tables().at(static_cast<std::size_t>(id)); }

std::string status_name(RunStatus status) { return status == RunStatus::done ? "done" : "failed"; }

std::string column_path(TableId id, const std::string& column) {
  return std::string(table_of(id).group) + "/" + link_name(column);
}

std::string names_path(TableId id, const std::string& column) {
  std::string table = table_of(id).group + 1;
  std::ranges::replace(table, '/', '.');
  return "/names/" + table + "." + link_name(column);
}

bool stored_as_text(TableId id, const std::string& column) {
  return id == TableId::runs && (column == "id" || column == "digest");
}

namespace {

std::vector<Column> make_schema() {
  std::vector<Column> all;
  for (const Table& table : all_tables()) {
    for (const ColumnInfo& one : table.columns) {
      const bool digested = table.digested && one.digest == Digest::yes;
      all.push_back({table.id, one.name, one.units, one.long_name, one.type, digested, one.stored == Stored::if_used});
    }
    if (table.id != TableId::runs) continue;
    for (const MetricInfo& metric : metric_infos) {
      all.push_back({TableId::runs, std::string(metric.name), std::string(metric.unit), std::string(metric.summary),
                     metric.type == MetricType::count ? ColumnType::integer : ColumnType::real,
                     metric.use != MetricUse::energy && metric.use != MetricUse::power,
                     metric.use != MetricUse::always});
    }
  }
  return all;
}

}  // namespace

const std::vector<Column>& schema_columns() {
  static const std::vector<Column> schema = make_schema();
  return schema;
}

const Column* find_column(TableId table, std::string_view name) {
  for (const Column& column : schema_columns()) {
    if (column.table == table && column.name == name) return &column;
  }
  return nullptr;
}

Column axis_column(const std::string& key, ColumnType type) {
  return {TableId::runs, key, "1", "Value of the study's key " + key + ", in the key's own unit.", type, true};
}

Column slowdown_column(const std::string& class_name) {
  return {TableId::nodes,
          "slowdown_" + class_name,
          "1",
          "Mean true slowdown of the node's GPUs for class " + class_name + ".",
          ColumnType::real,
          false};
}

}  // namespace palstudy
