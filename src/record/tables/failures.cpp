// SPDX-License-Identifier: MIT
#include "record/record.hpp"
#include "record/table_builder.hpp"

namespace palstudy {
namespace {

using enum ColumnType;

constexpr ColumnInfo failures_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"job", "1", "Job, by the id that the trace gives it.", integer},
    {"attempt", "1", "The attempt at the job that failed, from 1.", integer},
    {"reason", "1", "Why it failed, as the table of failures calls it.", text},
    {"gpus", "{GPU}", "GPUs that it held; 0: it failed in validation, before it held any.", integer},
    {"node", "1", "Node at fault, -1 for none in particular.", integer},
    {"gpu", "1", "GPU at fault, -1 for none in particular.", integer},
    {"time_s", "s", "Time at which the attempt failed.", real},
    {"run_s", "s", "Time for which the attempt had held GPUs, or run in validation.", real},
    {"lost_s", "{GPU}.s",
     "GPU-seconds lost: those since the last checkpoint, and of a job that is given up all that are not "
     "counted yet.",
     real}};

TableData make_failures(const RecordInput& run) {
  if (!run.result->with_failures) return {};
  const RunResult& result = *run.result;
  const Workload& workload = *run.workload;
  const FailureRows& rows = result.failures;
  const std::size_t n = rows.size();
  TableBuilder failures(TableId::failures, n, run.label.run);
  failures.integers("job", [&](std::size_t i) { return workload.jobs[rows.job[i].index()].id; });
  failures.integers("attempt", [&](std::size_t i) { return rows.attempt[i]; });
  failures.texts(
      "reason", [&](std::size_t reason) { return result.failure_reasons[reason]; },
      [&](std::size_t i) { return rows.reason[i]; });
  failures.integers("gpus", [&](std::size_t i) { return rows.gpus[i]; });
  failures.integers("node", [&](std::size_t i) { return rows.node[i]; });
  failures.integers("gpu", [&](std::size_t i) { return rows.gpu[i]; });
  failures.reals("time_s", [&](std::size_t i) { return rows.time_s[i]; });
  failures.reals("run_s", [&](std::size_t i) { return rows.run_s[i]; });
  failures.reals("lost_s", [&](std::size_t i) { return rows.lost_s[i]; });
  return failures.take();
}

}  // namespace

void register_table_failures(TableRegistry& tables) {
  tables.push_back({TableId::failures, "/failures", "/failures", &RunRecord::failures,
                    "an attempt at a job that failed, ordered by time, job and attempt (docs/howto/failures.md)",
                    "run the study with failures.model (docs/howto/failures.md)", true, 80, 18, failures_columns,
                    make_failures});
}

}  // namespace palstudy
