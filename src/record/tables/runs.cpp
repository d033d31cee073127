// SPDX-License-Identifier: MIT
#include <cmath>

#include "core/numbers.hpp"
#include "core/text.hpp"
#include "record/record.hpp"
#include "record/table_builder.hpp"
#include "sim/output/metrics.hpp"

namespace palstudy {
namespace {

using enum ColumnType;

constexpr ColumnInfo runs_columns[] = {{"run", "1", "Place of the run in the product of the axes.", integer},
                                       {"id", "1", "Hash of the resolved point of the run, 16 hex digits.", text},
                                       {"status", "1", "Whether the run is done or failed.", text},
                                       {"seed", "1", "Seed of the run.", integer},
                                       {"job_begin", "1", "First row of the run in /jobs.", integer, Digest::no},
                                       {"job_count", "1", "Rows of the run in /jobs.", integer, Digest::no},
                                       {"digest", "1", "SHA-256 of the run's rows, 64 hex digits.", text, Digest::no}};

/// The value of an axis in the type that the axis has over all of its values.
ColumnValues axis_values(const Axis& axis, const AxisValue& value) {
  switch (axis.type) {
    case ColumnType::integer:
      if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::vector<std::int64_t>{*integer};
      throw fault("the axis is of integers, one value is not", axis.key);
    case ColumnType::real:
      if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return std::vector<double>{static_cast<double>(*integer)};
      }
      if (const auto* real = std::get_if<double>(&value)) return std::vector<double>{*real};
      throw fault("the axis is of numbers, one value is not", axis.key);
    case ColumnType::text:
      break;
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return TextColumn{{0}, {std::to_string(*integer)}};
  if (const auto* real = std::get_if<double>(&value)) return TextColumn{{0}, {shortest(*real)}};
  return TextColumn{{0}, {std::get<std::string>(value)}};
}

void add_axes(TableBuilder& runs, const RunLabel& label) {
  if (label.axes.size() != label.values.size()) throw fault("not one value for each axis", "run " + label.id);
  for (std::size_t i = 0; i < label.axes.size(); ++i) {
    const Axis& axis = label.axes[i];
    if (axis.key == "seed") continue;  // is the fixed column
    runs.add(axis_column(axis.key, axis.type), axis_values(axis, label.values[i]));
  }
}

/// The digest is filled in when all tables are there.
TableData make_runs(const RecordInput& run) {
  const RunLabel& label = run.label;
  const RunResult* result = run.result;
  const std::size_t job_rows = result != nullptr && run.tables.jobs ? result->jobs.size() : 0;
  TableBuilder runs(TableId::runs, 1, label.run);
  runs.text("id", label.id);
  runs.text("status", result ? "done" : "failed");
  runs.integer("seed", static_cast<std::int64_t>(label.seed));
  add_axes(runs, label);
  runs.integer("job_begin", 0);
  runs.integer("job_count", static_cast<std::int64_t>(job_rows));
  runs.text("digest", "");
  for (std::size_t i = 0; i < metric_count; ++i) {
    if (metric_infos[i].use == MetricUse::energy && (result == nullptr || result->power.size() == 0)) continue;
    if (metric_infos[i].use == MetricUse::power && (result == nullptr || result->power_wait_s.empty())) continue;
    if (metric_infos[i].use == MetricUse::estimates && !label.by_estimates) continue;
    if (metric_infos[i].type == MetricType::count) {
      runs.integer(metric_infos[i].name, result ? std::llround(result->metrics[i]) : -1);
    } else {
      runs.real(metric_infos[i].name, result ? result->metrics[i] : nan);
    }
  }
  return runs.take();
}

}  // namespace

void register_table_runs(TableRegistry& tables) {
  tables.push_back({TableId::runs, "/runs", "/runs", &RunRecord::runs, "a run: its axes and its metrics",
                    "restore the archive from a copy", true, 2500, 140, runs_columns, make_runs, "run"});
}

}  // namespace palstudy
