// SPDX-License-Identifier: MIT
#include <numeric>
#include <utility>

#include "record/record.hpp"
#include "record/table_builder.hpp"

namespace palstudy {
namespace {

using enum ColumnType;

constexpr ColumnInfo events_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"time_s", "s", "Time of the event.", real},
    {"kind", "1", "finish; stop: the job is left without GPUs; launch: it starts or changes its GPUs.", text},
    {"job", "1", "Job, by the id that the trace gives it.", integer},
    {"gpu_begin", "1", "First row of the event in /events/gpu.", integer, Digest::no},
    {"gpu_count", "{GPU}", "Rows of the event in /events/gpu.", integer, Digest::no}};

constexpr ColumnInfo event_gpus_columns[] = {{"gpu", "1", "GPUs of the events, ascending within each.", integer}};

const char* event_name(std::size_t kind) {
  return kind == std::size_t(EventKind::finish) ? "finish" : kind == std::size_t(EventKind::stop) ? "stop" : "launch";
}

TableData make_events(const RecordInput& run) {
  if (!run.tables.events) return {};
  const EventRows& rows = run.result->events;
  // The GPUs are laid down in the order of the events, so that the offsets are no part of the result.
  std::vector<std::int64_t> begin(rows.size());
  std::exclusive_scan(rows.gpu_count.begin(), rows.gpu_count.end(), begin.begin(), std::int64_t{0});
  TableBuilder events(TableId::events, rows.size(), run.label.run);
  events.reals("time_s", [&](std::size_t i) { return rows.time_s[i]; });
  events.texts("kind", event_name, [&](std::size_t i) { return rows.kind[i]; });
  events.integers("job", [&](std::size_t i) { return run.workload->jobs[rows.job[i].index()].id; });
  events.add("gpu_begin", std::move(begin));
  events.integers("gpu_count", [&](std::size_t i) { return rows.gpu_count[i]; });
  return events.take();
}

TableData make_event_gpus(const RecordInput& run) {
  if (!run.tables.events) return {};
  const EventRows& rows = run.result->events;
  std::vector<std::int64_t> gpus;
  gpus.reserve(rows.gpus.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto first = rows.gpus.begin() + static_cast<std::ptrdiff_t>(rows.gpu_begin[i]);
    gpus.insert(gpus.end(), first, first + rows.gpu_count[i]);
  }
  TableBuilder event_gpus(TableId::event_gpus, gpus.size());
  event_gpus.add("gpu", std::move(gpus));
  return event_gpus.take();
}

}  // namespace

void register_table_events(TableRegistry& tables) {
  tables.push_back({TableId::events, "/events", "/events", &RunRecord::events,
                    "a change of a job's GPUs, ordered by time, kind and job (output.events)",
                    "run the study with output.events = true", true, 44, 3, events_columns, make_events});
  tables.push_back({TableId::event_gpus, "/events/gpu", "/events", &RunRecord::event_gpus,
                    "a GPU of an event: rows gpu_begin to gpu_begin + gpu_count of /events",
                    "run the study with output.events = true", true, 8, 0.75, event_gpus_columns, make_event_gpus,
                    "gpu_row", "gpu_columns"});
}

}  // namespace palstudy
