// SPDX-License-Identifier: MIT
#include "workload/power_table.hpp"

#include <fmt/format.h>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr double most_exponent = 10;

PowerKind kind_of(const CsvTable& table, std::size_t row, std::size_t column) {
  const std::string_view word = table.text(row, column);
  if (word == "capped") return PowerKind::capped;
  if (word == "uncapped") return PowerKind::uncapped;
  if (word == "lockstep") return PowerKind::lockstep;
  throw data_error(fmt::format("\"{}\" in column {}", word, table.header()[column]), table.where(row, column),
                   "one of capped, uncapped, lockstep, idle");
}

}  // namespace

const PowerRow* PowerTable::find(const std::string& cls, const std::string& measurements) const {
  for (const std::string& name : {cls, measurements, measurements.substr(measurements.find('-') + 1)}) {
    const auto row = busy.find(name);
    if (row != busy.end()) return &row->second;
  }
  return nullptr;
}

PowerTable power_table(const CsvTable& table) {
  const std::size_t name = table.column("name"), kind = table.column("kind"), watts = table.column("watts"),
                    exponent = table.column("exponent");
  PowerTable out;
  bool idle = false;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double draws = table.number(row, watts, 0, most_watts);
    const bool is_idle = table.text(row, kind) == "idle";
    PowerRow one{PowerKind::capped, draws, 0};
    if (!is_idle) one.kind = kind_of(table, row, kind);
    if (one.kind == PowerKind::uncapped) one.exponent = table.number(row, exponent, 0, most_exponent);
    const std::string key(table.text(row, name));
    if (is_idle ? idle : !out.busy.emplace(key, one).second) {
      throw data_error(is_idle ? "a second row of kind idle" : fmt::format("\"{}\" is there twice", key),
                       table.where(row, name), "keep one of them");
    }
    if (is_idle) out.idle_w = draws;
    idle = idle || is_idle;
  }
  if (!idle) throw data_error("the table has no row of kind idle", table.name(), "add what a GPU without a job draws");
  return out;
}

}  // namespace palstudy
