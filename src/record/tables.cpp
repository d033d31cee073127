// SPDX-License-Identifier: MIT
#include "record/tables.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr bool numbered_by_place() {
  for (std::size_t i = 0; i < all_tables.size(); ++i) {
    if (all_tables[i].id != TableId(i)) return false;
  }
  return true;
}
static_assert(numbered_by_place(), "all_tables is indexed by TableId");

}  // namespace

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
