// SPDX-License-Identifier: MIT
#include "archive/join_tables.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "archive/layout.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

std::vector<Column> united_columns(const std::vector<const RunRecord*>& records, TableId id) {
  std::vector<Column> all;
  for (const RunRecord* record : records) {
    std::size_t next = 0;  // where a column that is new would stand
    for (const Column& column : table_of(*record, id).columns) {
      const auto place = std::find_if(all.begin(), all.end(), [&](const Column& c) { return c.name == column.name; });
      if (place == all.end()) {
        all.insert(all.begin() + static_cast<std::ptrdiff_t>(next++), column);
        continue;
      }
      if (place->type != column.type) throw fault("runs of different types in " + column_path(id, column.name));
      next = static_cast<std::size_t>(place - all.begin()) + 1;
    }
  }
  return all;
}

template <class T>
std::vector<T> join_numbers(const std::vector<const RunRecord*>& records, TableId id, const std::string& name,
                            T absent) {
  std::vector<T> joined;
  for (const RunRecord* record : records) {
    const TableData& table = table_of(*record, id);
    if (const ColumnValues* values = table.find(name)) {
      const auto& part = std::get<std::vector<T>>(*values);
      joined.insert(joined.end(), part.begin(), part.end());
    } else {
      joined.insert(joined.end(), table.rows(), absent);
    }
  }
  return joined;
}

TextColumn join_texts(const std::vector<const RunRecord*>& records, TableId id, const std::string& name) {
  static const TextColumn nothing;
  const auto part = [&](const RunRecord* record) -> const TextColumn& {
    const ColumnValues* values = table_of(*record, id).find(name);
    return values ? std::get<TextColumn>(*values) : nothing;
  };
  std::map<std::string, std::int32_t> codes;  // of the names that some row has
  for (const RunRecord* record : records) {
    const TextColumn& text = part(record);
    for (std::size_t row = 0; row < text.codes.size(); ++row) codes.try_emplace(text.at(row), 0);
    if (text.codes.empty() && table_of(*record, id).rows() > 0) codes.try_emplace("", 0);
  }
  TextColumn joined;
  for (auto& [text, code] : codes) {
    code = static_cast<std::int32_t>(joined.names.size());
    joined.names.push_back(text);
  }
  for (const RunRecord* record : records) {
    const TextColumn& text = part(record);
    std::vector<std::int32_t> anew;  // by old code; names that no row has get none
    for (const std::string& old : text.names) anew.push_back(codes.contains(old) ? codes.at(old) : -1);
    for (const std::int32_t code : text.codes) joined.codes.push_back(anew[static_cast<std::size_t>(code)]);
    if (text.codes.empty()) joined.codes.insert(joined.codes.end(), table_of(*record, id).rows(), 0);
  }
  return joined;
}

}  // namespace

TableData join_table(const std::vector<const RunRecord*>& records, TableId id) {
  TableData joined;
  joined.columns = united_columns(records, id);
  for (const Column& column : joined.columns) {
    switch (column.type) {
      case ColumnType::integer:
        joined.values.emplace_back(join_numbers<std::int64_t>(records, id, column.name, 0));
        break;
      case ColumnType::real:
        joined.values.emplace_back(
            join_numbers<double>(records, id, column.name, std::numeric_limits<double>::quiet_NaN()));
        break;
      case ColumnType::text:
        joined.values.emplace_back(join_texts(records, id, column.name));
        break;
    }
  }
  return joined;
}

std::vector<const RunRecord*> in_run_order(const std::vector<RunRecord>& records) {
  std::vector<const RunRecord*> order;
  for (const RunRecord& record : records) order.push_back(&record);
  std::sort(order.begin(), order.end(), [](const RunRecord* a, const RunRecord* b) { return a->run < b->run; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i - 1]->run == order[i]->run) throw fault("two records of run " + std::to_string(order[i]->run));
  }
  return order;
}

}  // namespace palstudy
