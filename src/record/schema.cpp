// SPDX-License-Identifier: MIT
#include "record/schema.hpp"

#include "record/tables.hpp"
#include "sim/result.hpp"

namespace palstudy {
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
