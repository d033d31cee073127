// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/numbers.hpp"
#include "record/record.hpp"
#include "record/table_builder.hpp"

namespace palstudy {
namespace {

using enum ColumnType;

constexpr ColumnInfo provenance_runs_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"wall_s", "s", "Wall-clock time that the run took.", real},
    {"peak_rss_mib", "MiBy", "Largest resident memory of a process of its team.", real},
    {"cores", "1", "Cores that computed the run.", integer},
    {"slowdown_max", "1", "Largest true slowdown of a GPU of the run's cluster, over all classes.", real},
    {"reason", "1", "Why the run failed, empty if it did not.", text}};

double largest_slowdown(const Slowdowns& truth) {
  double largest = 0;
  for (std::size_t c = 0; c < truth.classes(); ++c) {
    for (const double slowdown : truth.of(ClassId(c))) largest = std::max(largest, slowdown);
  }
  return largest;
}

TableData make_provenance_runs(const RecordInput& run) {
  const RunLabel& label = run.label;
  TableBuilder provenance(TableId::provenance_runs, 1, label.run);
  provenance.real("wall_s", label.wall_s);
  provenance.real("peak_rss_mib", label.peak_rss_mib);
  provenance.integer("cores", label.cores);
  provenance.real("slowdown_max", run.truth != nullptr ? largest_slowdown(*run.truth) : nan);
  provenance.text("reason", run.reason);
  return provenance.take();
}

}  // namespace

void register_table_provenance_runs(TableRegistry& tables) {
  tables.push_back({TableId::provenance_runs, "/provenance/runs", "/provenance/runs", &RunRecord::provenance,
                    "a run: wall time, memory, cores, why it failed", "restore the archive from a copy", false, 0, 0,
                    provenance_runs_columns, make_provenance_runs, "run"});
}

}  // namespace palstudy
