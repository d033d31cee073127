// SPDX-License-Identifier: MIT
#include "record/record.hpp"
#include "record/table_builder.hpp"

namespace palstudy {
namespace {

using enum ColumnType;

constexpr ColumnInfo solves_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"time_s", "s", "Time of the solution; the shares hold until the next one of the partition.", real},
    {"partition", "1", "Partition whose GPUs are shared.", integer},
    {"objective", "1", "What the shares are best for, policy.objective of the run.", text},
    {"jobs", "{job}", "Jobs that share the GPUs: queued and running.", integer},
    {"groups", "1", "Groups of jobs that the program does not tell apart, which its variables belong to.", integer},
    {"primal", "1",
     "Objective that the shares reach: of makespan in seconds, of water-filling the first and lowest level.", real},
    {"dual", "1",
     "Bound from the row prices that no shares beat: of max-min, water-filling and sum an upper one, of makespan and "
     "ftf, which are minimized, a lower one.",
     real},
    {"gap", "1",
     "|primal - dual| / |primal|, at most 1e-6; of makespan and ftf with more than 1,000 jobs, whose demands are told "
     "apart in steps of 1 %, at most 1e-2.",
     real},
    {"iterations", "1", "Iterations of the simplex method for the solution, over all of its steps.", integer}};

TableData make_solves(const RecordInput& run) {
  const SolveRows& rows = run.result->solves;
  if (rows.size() == 0) return {};
  TableBuilder solves(TableId::solves, rows.size(), run.label.run);
  solves.reals("time_s", [&](std::size_t i) { return rows.time_s[i]; });
  solves.integers("partition", [&](std::size_t i) { return rows.partition[i]; });
  solves.texts(
      "objective", [](std::size_t objective) { return share_objective_names.at(objective); },
      [&](std::size_t i) { return rows.objective[i]; });
  solves.integers("jobs", [&](std::size_t i) { return rows.jobs[i]; });
  solves.integers("groups", [&](std::size_t i) { return rows.groups[i]; });
  solves.reals("primal", [&](std::size_t i) { return rows.primal[i]; });
  solves.reals("dual", [&](std::size_t i) { return rows.dual[i]; });
  solves.reals("gap", [&](std::size_t i) { return gap_of(rows.primal[i], rows.dual[i]); });
  solves.integers("iterations", [&](std::size_t i) { return rows.iterations[i]; });
  return solves.take();
}

}  // namespace

void register_table_solves(TableRegistry& tables) {
  tables.push_back({TableId::solves, "/solves", "/solves", &RunRecord::solves,
                    "a solution of a linear program by the scheduler, ordered by time and partition "
                    "(docs/howto/schedulers.md, Gavel)",
                    "run the study with policy.scheduler = \"gavel\" (docs/howto/schedulers.md)", false, 76, 6,
                    solves_columns, make_solves});
}

}  // namespace palstudy
