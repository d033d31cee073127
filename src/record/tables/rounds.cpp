// SPDX-License-Identifier: MIT
#include "record/record.hpp"
#include "record/table_builder.hpp"

namespace palstudy {
namespace {

using enum ColumnType;

constexpr ColumnInfo rounds_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"time_s", "s", "Time of the boundary, a row where the state differs from the row before.", real},
    {"queued", "{job}", "Jobs that wait after the boundary.", integer},
    {"running", "{job}", "Jobs that run after the boundary.", integer},
    {"free_gpus", "{GPU}", "GPUs that no job holds after the boundary, on nodes that are on and up.", integer},
    {"demand_gpus", "{GPU}", "GPUs that the waiting and the running jobs ask for.", integer}};

TableData make_rounds(const RecordInput& run) {
  if (!run.tables.rounds) return {};
  const RoundRows& rows = run.result->rounds;
  const std::size_t n = rows.size();
  TableBuilder rounds(TableId::rounds, n, run.label.run);
  rounds.reals("time_s", [&](std::size_t i) { return rows.time_s[i]; });
  rounds.integers("queued", [&](std::size_t i) { return rows.queued[i]; });
  rounds.integers("running", [&](std::size_t i) { return rows.running[i]; });
  rounds.integers("free_gpus", [&](std::size_t i) { return rows.free_gpus[i]; });
  rounds.integers("demand_gpus", [&](std::size_t i) { return rows.demand_gpus[i]; });
  return rounds.take();
}

}  // namespace

void register_table_rounds(TableRegistry& tables) {
  tables.push_back({TableId::rounds, "/rounds", "/rounds", &RunRecord::rounds,
                    "a boundary after which the state differs from the one before (output.rounds)",
                    "run the study with output.rounds = true", true, 48, 3, rounds_columns, make_rounds});
}

}  // namespace palstudy
