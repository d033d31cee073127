// SPDX-License-Identifier: MIT
#include "record/renumber.hpp"

#include <algorithm>

#include "record/digest.hpp"

namespace palstudy {

void renumber(RunRecord& record, std::int64_t run) {
  if (record.run == run) return;
  record.run = run;
  for (const Table& table : all_tables) {
    TableData& data = record.*table.data;
    for (std::size_t c = 0; c < data.columns.size(); ++c) {
      if (data.columns[c].name != "run") continue;
      std::ranges::fill(std::get<std::vector<std::int64_t>>(data.values[c]), run);
    }
  }
  set_digest(record);
}

}  // namespace palstudy
