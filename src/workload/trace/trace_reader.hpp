// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/registry.hpp"
#include "workload/job.hpp"
#include "workload/model_table.hpp"
#include "workload/trace/trace_columns.hpp"

namespace palstudy {

/// A trace as a reader gets it: unpacked, and what it is called in messages.
struct TraceText {
  std::string text, name;
};

/// The input of a reader beside the trace.
struct TraceContext {
  TraceContext(const ModelTable& table, std::uint64_t drawn_by = 1,
               TraceColumns named = {})  // NOLINT: of a table alone
      : models(table), seed(drawn_by), columns(std::move(named)) {}

  const ModelTable& models;
  std::uint64_t seed;  ///< `workload.seed`, for what the trace does not say
  TraceColumns columns;
};

/// Where a record stands, from 1.
struct TracePlace {
  std::size_t line = 0, column = 1;
};

/// Jobs in the order of the file, and where each one's id stands. Columns, units and checks are the reader's; sorting,
/// doubled ids and the one nameless tenant of a trace without tenants are `read_trace`'s.
struct TraceJobs {
  Workload workload;
  std::vector<TracePlace> places;
  void add(const Job& job, TracePlace place) {
    workload.jobs.push_back(job);
    places.push_back(place);
  }
};

/// Turns a trace into jobs, says by line what is wrong and notes what it leaves out.
struct TraceReader {
  std::function<void(TraceText, const TraceContext&, TraceJobs&)> read;
  std::string published = {};  ///< where traces of the format are to be had
  std::string licence = {};    ///< theirs
  bool of_site = false;        ///< it reads what a site's own scheduler wrote
  bool draws_models = false;   ///< the trace names no models: they are drawn from the table by `workload.seed`
  NamedColumns columns = NamedColumns::never;
  /// Whether a file that begins like this is of the format; none where only a study can say so.
  std::function<bool(std::string_view beginning)> looks = {};

  [[nodiscard]] bool draws(const TraceColumns& given) const { return draws_models && !given.name_models(); }
};
using ReaderRegistry = Registry<TraceReader>;
[[nodiscard]] const ReaderRegistry& readers();

/// The reader whose format a file has by its beginning. Errors (data): none knows it, or several do.
[[nodiscard]] std::string reader_of(const std::filesystem::path& path);

/// Reads a trace (also one that gzip has packed). Sorts by submit time, stably, and notes it if that changed the order.
/// Class names are those of the trace; `bind_classes` turns them into those of the cluster.
/// Errors (data, file:line:column): no jobs, doubled ids, no GPUs, work or times that are negative or not finite.
[[nodiscard]] Workload read_trace(const std::filesystem::path& path, const std::string& reader,
                                  const TraceContext& context);
/// Parses a trace from memory, for tests and fuzzing.
[[nodiscard]] Workload parse_trace(std::string text, const std::string& name, const std::string& reader,
                                   const TraceContext& context);

/// The line of the first job of a class, for messages about it: reads the trace again. Nothing if no job is of it.
/// Errors: as of `read_trace`.
[[nodiscard]] std::optional<std::size_t> first_line_of_class(const std::filesystem::path& path,
                                                             const std::string& reader, const TraceContext& context,
                                                             const std::string& cls);

/// "1 of 3 records left out: 1 ran for no time (first: line 3)", of the note "left-records".
[[nodiscard]] std::string left_records_text(const Note& note);

/// Records of a trace that make no job, counted by reason for a note.
class SkippedRecords {
 public:
  /// `reason` goes on from "3 ...", e.g. "never started".
  void add(const std::string& reason, std::size_t line);
  /// Adds "left-records" to `notes` if anything was left out: how many of `records`, why, and where each reason comes
  /// first.
  void note(std::size_t records, std::vector<Note>& notes) const;

 private:
  struct Reason {
    std::size_t count = 0, first_line = 0;
  };
  std::map<std::string, Reason> reasons_;
};

}  // namespace palstudy
