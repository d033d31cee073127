// SPDX-License-Identifier: MIT
#include "inputs/node_series.hpp"

#include <fmt/format.h>

#include "core/csv.hpp"
#include "core/error.hpp"

namespace palstudy {

NodeSeries read_node_series(const std::filesystem::path& file) {
  constexpr long long most_nodes = 1 << 24, most_tick = 1LL << 40;
  const CsvTable table = CsvTable::read(file);
  const std::size_t tick = table.column("tick"), total = table.column("total"), used = table.column("used");
  const bool forecast = table.has_column("forecast");
  if (table.rows() == 0) throw data_error("the series has no rows", file.string(), "give one row for each tick");
  NodeSeries series;
  long long last = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const long long now = table.integer(row, tick, -most_tick, most_tick);
    if (row > 0 && now != last + 1) {
      throw data_error(fmt::format("tick {} follows tick {}", now, last), table.where(row, tick),
                       "give one row for each tick (`tick` counts up by 1)");
    }
    last = now;
    const long long nodes = table.integer(row, total, 1, most_nodes);
    series.total.push_back(static_cast<double>(nodes));
    series.used.push_back(static_cast<double>(table.integer(row, used, 0, nodes)));
    if (forecast) series.forecast.push_back(table.number(row, table.column("forecast")));
  }
  return series;
}

}  // namespace palstudy
