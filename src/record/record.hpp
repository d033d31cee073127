// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "record/tables.hpp"
#include "sim/result.hpp"
#include "topology/partitioning.hpp"
#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// A value of an axis, in the form of its key: 360 and 360.0 are one number.
using AxisValue = std::variant<std::int64_t, double, std::string>;  // booleans are "true" and "false"

/// An axis: the key as written, and its type over all its values (all integers; numbers; else text).
struct Axis {
  std::string key;
  ColumnType type;
};

/// What is known of a run beside its result.
struct RunLabel {
  std::int64_t run = 0;
  std::string id;
  std::uint64_t seed = 1;
  std::vector<Axis> axes;         ///< keys sorted
  std::vector<AxisValue> values;  ///< of this run, by axis
  bool by_estimates = false;      ///< the metrics of `MetricUse::estimates` are stored, as for all runs of the study
  double wall_s = 0, peak_rss_mib = 0;
  std::int64_t cores = 1;
};

struct OutputTables {
  bool jobs = true, events = false, rounds = false;
};

/// /nodes has rows only for clusters of at most so many nodes: it repeats them for every run.
inline constexpr std::uint32_t nodes_table_limit = 16384;

/// What the rows of a run are made of; of a run that failed only its label and the reason.
struct RecordInput {
  const RunLabel& label;
  std::string reason;
  const RunResult* result = nullptr;
  const Workload* workload = nullptr;
  const Slowdowns* truth = nullptr;
  const Topology* topology = nullptr;
  const Partitioning* partitioning = nullptr;
  OutputTables tables = {};
};

/// Makes the rows of all tables, and computes the digest. Offsets (job_begin, gpu_begin) count from the first row of
/// this run; joining records shifts them. Text columns name only what occurs, in order of first occurrence. A table
/// that the study leaves out has no columns.
[[nodiscard]] RunRecord make_record(const RunLabel& label, const RunResult& result, const Workload& workload,
                                    const Slowdowns& truth, const Topology& topology, const Partitioning& partitioning,
                                    const OutputTables& tables);
/// The record of a run that failed: real metrics NaN, counts -1, no other rows but its provenance.
[[nodiscard]] RunRecord make_failed_record(const RunLabel& label, const std::string& reason);

/// Gives a record another place in the product of the axes, as a run has once an axis other than the seeds has grown:
/// the number in all its tables, and the digest over them. It is then the record that a run at that place would make.
void renumber(RunRecord& record, std::int64_t run);

/// Finished runs, each once, in run order. They are read one at a time and more than once, so that a source on
/// disk need not hold them all.
class RecordSource {
 public:
  RecordSource() = default;
  RecordSource(const RecordSource&) = delete;
  RecordSource& operator=(const RecordSource&) = delete;
  virtual ~RecordSource() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// The i-th; valid until the next call. Errors (data): cannot be read.
  [[nodiscard]] virtual const RunRecord& record(std::size_t i) = 0;
};

}  // namespace palstudy
