// SPDX-License-Identifier: MIT
#include "record/renumber.hpp"

#include <algorithm>

#include "record/digest.hpp"
#include "record/layout.hpp"

namespace palstudy {

void renumber(RunRecord& record, std::int64_t run) {
  if (record.run == run) return;
  record.run = run;
  for (const TableId id : all_tables) {
    TableData& table = table_of(record, id);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].name != "run") continue;
      std::ranges::fill(std::get<std::vector<std::int64_t>>(table.values[c]), run);
    }
  }
  record.digest = run_digest(record);
  for (std::size_t c = 0; c < record.runs.columns.size(); ++c) {
    if (record.runs.columns[c].name != "digest") continue;
    record.runs.values[c] = TextColumn{std::vector<std::int32_t>(record.runs.rows(), 0), {record.digest}};
  }
}

}  // namespace palstudy
