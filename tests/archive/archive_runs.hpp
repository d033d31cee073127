// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <iterator>

#include "archive/provenance.hpp"
#include "archive/write_records.hpp"
#include "core/text.hpp"
#include "record/digest.hpp"
#include "record/small_run.hpp"

namespace palstudy::test {

inline constexpr std::size_t hdf5_signature = 8;  ///< bytes that every HDF5 file begins with

/// SmallRun with the metrics that follow from its rows by hand: one of its two measured jobs arrived at 10 s, ran from
/// 360 s to its end and has an ideal time of 100 x 2 s; the other was stopped once.
struct MeasuredRun : SmallRun {
  explicit MeasuredRun(std::int64_t run, const std::string& placement = "pal", double finish_s = 960) {
    label.run = run;
    label.id = "00000000000000a" + std::to_string(run);
    label.values[1] = placement;
    result.jobs.finish_s[0] = result.events.time_s[2] = finish_s;
    result.jobs.exec_s[0] = finish_s - 360;
    const double jct = finish_s - 10;
    for (const Metric m : {Metric::jct_mean_s, Metric::jct_p50_s, Metric::jct_p95_s, Metric::jct_p99_s}) set(m, jct);
    set(Metric::wait_mean_s, 350);
    set(Metric::bounded_slowdown_mean, jct / 200);
    set(Metric::makespan_s, nan);  // a measured job is unfinished
    set(Metric::preemptions, 1);
    set(Metric::migrations, 1);
    set(Metric::jobs_unfinished, 1);
  }
  /// Both jobs that ran were launched then.
  MeasuredRun& launched(double at_s) {
    EventRows& events = result.events;
    JobRows& jobs = result.jobs;
    events.time_s[0] = events.time_s[1] = jobs.start_s[0] = jobs.start_s[1] = at_s;
    jobs.exec_s[0] = jobs.finish_s[0] - at_s;
    set(Metric::wait_mean_s, at_s - 10);
    return *this;
  }
  void set(Metric metric, double value) { result.metrics[static_cast<std::size_t>(metric)] = value; }
};

inline std::vector<RunRecord> three_runs() {
  return {MeasuredRun(0, "pm-first").record(), MeasuredRun(1, "pal", 1000.125).record(),
          MeasuredRun(2, "a-late-name", 1e9 + 0.1).record()};
}

inline std::vector<ClusterRecord> two_clusters() {
  return {{"feed", Slowdowns({"A", "B/c"}, 2, {1, 1.25, 0.75, 3})}, {"beef", Slowdowns({"A"}, 1, {1})}};
}

inline Provenance some_provenance() {
  Provenance from;
  from.command_line = "palstudy run study.toml -o r.h5";
  from.start_utc = "2024-01-01T00:00:00Z";
  from.ranks = 3;
  from.mpi_version = "an MPI";
  from.input_sha256 = {{"b.csv", "01"}, {"a.csv", "02"}};
  from.resolved_study = "seed = 1\n" + std::string(100000, '#');  // more than the 64 KiB of an old attribute
  from.profile_origin = "imported";
  from.notes = {{{"few-links", Severity::care, "p.h5", {{"level", "cabinet"}, {"stand_in", "node"}}}, "first"},
                {{"units", Severity::info, "\xc3\xa9.csv", {{"load", 0.5}}}, "second: \xc3\xa9"}};
  from.baselines = {"packed-sticky", "packed-nonsticky"};
  from.compare_metric = "jct_mean_s";
  return from;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// A cell as text that differs whenever a bit of the value does.
inline std::string exact(const ColumnValues& values, std::size_t row) {
  if (const auto* text = std::get_if<TextColumn>(&values)) return fmt::format("s{}", text->at(row));
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) {
    return fmt::format("f{:x}", std::bit_cast<std::uint64_t>((*reals)[row]));
  }
  return fmt::format("i{}", std::get<std::vector<std::int64_t>>(values)[row]);
}

/// The whole of a table, columns and cells, in one text to compare; `but` is left out.
inline std::string dump(const TableData& table, const std::string& but = "") {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    if (column.name == but) continue;
    out += fmt::format("{}|{}|{}|{}|{}:", column.name, column.units, column.long_name, static_cast<char>(column.type),
                       column.digested);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      out += ' ';
      out += exact(table.values[c], row);
    }
    out += "\n";
  }
  return out;
}

}  // namespace palstudy::test
