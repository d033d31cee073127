// SPDX-License-Identifier: MIT
#include "record/tables.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"

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

}  // namespace palstudy
