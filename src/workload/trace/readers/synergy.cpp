// SPDX-License-Identifier: MIT
// The deployment traces of Synergy (OSDI'22): no header; id, model, arrival (s), iterations, GPUs. Class and seconds
// per iteration are the model's.
#include <cstdint>
#include <utility>

#include "workload/model_table.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

enum Column : std::size_t { id, model, arrival, iterations, gpus };

void read_synergy(TraceText trace, const TraceContext& context, TraceJobs& read) {
  const CsvTable table =
      CsvTable::parse(std::move(trace.text), std::move(trace.name), {"id", "model", "arrival", "iterations", "gpus"});
  Workload& out = read.workload;
  NameIndex names(out.models, "models", UINT16_MAX);
  SkippedRecords left_out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.integer(row, gpus) == 0) {
      left_out.add("want no GPU", table.line(row));
      continue;
    }
    const ModelInfo& info = model_of(context.models, table, row, model);
    Job job;
    job.id = job_id(table, row, id);
    job.submit_s = submit_time(table, row, arrival);
    job.gpus = job_gpus(table, row, gpus);
    job.iterations = positive(table, row, iterations, "work");
    job.iteration_s = info.iteration_s;
    job.cls = class_of(info, out.classes);
    job.model = static_cast<std::uint16_t>(names.number(table, row, model));
    check_seconds(job.ideal_s(), table, row, iterations);
    read.add(job, place_of(table, row, id));
  }
  left_out.note(table.rows(), read.workload.notes);
}

}  // namespace

void register_reader_synergy(ReaderRegistry& registry) {
  registry.add({"synergy",
                "Synergy's deployment traces, without a header: id, model, arrival (s), iterations, GPUs; the model "
                "gives class and seconds per iteration.",
                {},
                {.read = read_synergy,
                 .published = "carried: jobs/traces/synergy; https://github.com/msr-fiddle/synergy",
                 .licence = "MIT"}});
}

}  // namespace palstudy
