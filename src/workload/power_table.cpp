// SPDX-License-Identifier: MIT
#include "workload/power_table.hpp"

#include <fmt/format.h>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr double most_watts = 1e6, most_exponent = 10;

double number_up_to(const CsvTable& table, std::size_t row, std::size_t column, double most) {
  const double value = table.number(row, column);
  if (value >= 0 && value <= most) return value;
  throw data_error(fmt::format("{} in column {}", shortest(value), table.header()[column]), table.where(row, column),
                   fmt::format("a number from 0 to {}", shortest(most)));
}

PowerKind kind_of(const CsvTable& table, std::size_t row, std::size_t column) {
  const std::string_view word = table.text(row, column);
  if (word == "capped") return PowerKind::capped;
  if (word == "uncapped") return PowerKind::uncapped;
  if (word == "lockstep") return PowerKind::lockstep;
  throw data_error(fmt::format("\"{}\" in column {}", word, table.header()[column]), table.where(row, column),
                   "one of capped, uncapped, lockstep, idle");
}

PowerTable power_table_of(const CsvTable& table) {
  const std::size_t name = table.column("name"), kind = table.column("kind"), watts = table.column("watts"),
                    exponent = table.column("exponent");
  PowerTable out;
  bool idle = false;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double draws = number_up_to(table, row, watts, most_watts);
    const bool is_idle = table.text(row, kind) == "idle";
    PowerRow one{PowerKind::capped, draws, 0};
    if (!is_idle) one.kind = kind_of(table, row, kind);
    if (one.kind == PowerKind::uncapped) one.exponent = number_up_to(table, row, exponent, most_exponent);
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

}  // namespace

const PowerRow* PowerTable::find(const std::string& cls, const std::string& measurements) const {
  for (const std::string& name : {cls, measurements, measurements.substr(measurements.find('-') + 1)}) {
    const auto row = busy.find(name);
    if (row != busy.end()) return &row->second;
  }
  return nullptr;
}

PowerTable read_power_table(const std::filesystem::path& path) { return power_table_of(CsvTable::read(path)); }

PowerTable parse_power_table(std::string text, const std::string& name) {
  return power_table_of(CsvTable::parse(std::move(text), name));
}

}  // namespace palstudy
