// SPDX-License-Identifier: MIT
// Traces whose models give class and seconds per iteration: those of PAL's artifact (sia; its `duration` is a number of
// iterations, in spite of its name: that is how the published simulator reads it), and the deployment traces of Synergy
// (OSDI'22), which have no header.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "workload/model_table.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

struct ModelTrace {
  std::vector<std::string> header;  // empty: the file has one
  const char *id, *gpus, *submit, *iterations;
  bool has_cpu_jobs;
};

void read_model_trace(TraceText trace, const TraceContext& context, TraceJobs& read, const ModelTrace& format) {
  const CsvTable table = CsvTable::parse(std::move(trace.text), std::move(trace.name), format.header);
  Workload& out = read.workload;
  const std::size_t id = table.column(format.id), gpus = table.column(format.gpus),
                    submit = table.column(format.submit), iterations = table.column(format.iterations),
                    model = table.column("model");
  NameIndex names(out.models, "models", UINT16_MAX);
  SkippedRecords left_out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (format.has_cpu_jobs && table.integer(row, gpus) == 0) {
      left_out.add("want no GPU", table.line(row));
      continue;
    }
    const ModelInfo& info = model_of(context.models, table, row, model);
    Job job;
    job.id = job_id(table, row, id);
    job.gpus = job_gpus(table, row, gpus);
    job.submit_s = submit_time(table, row, submit);
    job.iterations = positive(table, row, iterations, "work");
    job.iteration_s = info.iteration_s;
    job.cls = class_of(info, out.classes);
    job.model = static_cast<std::uint16_t>(names.number(table, row, model));
    check_seconds(job.ideal_s(), table, row, iterations);
    read.add(job, place_of(table, row, id));
  }
  left_out.note(table.rows(), out.notes);
}

void read_sia(TraceText trace, const TraceContext& context, TraceJobs& read) {
  read_model_trace(std::move(trace), context, read, {{}, "job_id", "num_gpus", "submit_time", "duration", false});
}

void read_synergy(TraceText trace, const TraceContext& context, TraceJobs& read) {
  read_model_trace(std::move(trace), context, read,
                   {{"id", "model", "arrival", "iterations", "gpus"}, "id", "gpus", "arrival", "iterations", true});
}

}  // namespace

void register_reader_sia(ReaderRegistry& registry) {
  registry.add(
      {"sia",
       "PAL's Sia-Philly traces: job_id, num_gpus, submit_time (s), duration (iterations) and model, which gives "
       "class and seconds per iteration.",
       {},
       {.read = read_sia,
        .published = "carried: jobs/traces/sia-philly; https://github.com/hal-uw/blox-pal",
        .licence = "MIT"}});
  registry.add({"synergy",
                "Synergy's deployment traces, without a header: id, model, arrival (s), iterations, GPUs; the model "
                "gives class and seconds per iteration.",
                {},
                {.read = read_synergy,
                 .published = "carried: jobs/traces/synergy; https://github.com/msr-fiddle/synergy",
                 .licence = "MIT"}});
}

}  // namespace palstudy
