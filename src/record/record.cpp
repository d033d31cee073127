// SPDX-License-Identifier: MIT
#include "record/record.hpp"

#include <algorithm>

#include "record/digest.hpp"

namespace palstudy {

RunRecord make_record(const RunLabel& label, const RunResult& result, const Workload& workload, const Slowdowns& truth,
                      const Topology& topology, const Partitioning& partitioning, const OutputTables& tables) {
  RunRecord record;
  record.run = label.run;
  record.id = label.id;
  const RecordInput run{label, "", &result, &workload, &truth, &topology, &partitioning, tables};
  for (const Table& table : all_tables()) record.*table.data = table.make(run);
  set_digest(record);
  return record;
}

RunRecord make_failed_record(const RunLabel& label, const std::string& reason) {
  RunRecord record;
  record.run = label.run;
  record.id = label.id;
  record.status = RunStatus::failed;
  record.reason = reason;
  const RecordInput run{.label = label, .reason = reason};
  for (const TableId id : {TableId::runs, TableId::provenance_runs}) record.*table_of(id).data = table_of(id).make(run);
  set_digest(record);
  return record;
}

void renumber(RunRecord& record, std::int64_t run) {
  if (record.run == run) return;
  record.run = run;
  for (const Table& table : all_tables()) {
    TableData& data = record.*table.data;
    for (std::size_t c = 0; c < data.columns.size(); ++c) {
      if (data.columns[c].name != "run") continue;
      std::ranges::fill(std::get<std::vector<std::int64_t>>(data.values[c]), run);
    }
  }
  set_digest(record);
}

}  // namespace palstudy
