// SPDX-License-Identifier: MIT
// The traces of PAL's artifact. `duration` is a number of iterations, in spite of its name: that is how the published
// simulator reads it.
#include <cstdint>
#include <utility>

#include "workload/model_table.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

void read_sia(TraceText trace, const TraceContext& context, TraceJobs& read) {
  const CsvTable table = CsvTable::parse(std::move(trace.text), std::move(trace.name));
  Workload& out = read.workload;
  const std::size_t id = table.column("job_id"), gpus = table.column("num_gpus"), submit = table.column("submit_time"),
                    duration = table.column("duration"), model = table.column("model");
  NameIndex model_names(out.models, "models", UINT16_MAX);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const ModelInfo& info = model_of(context.models, table, row, model);
    Job job;
    job.id = job_id(table, row, id);
    job.gpus = job_gpus(table, row, gpus);
    job.submit_s = submit_time(table, row, submit);
    job.iterations = positive(table, row, duration, "work");
    job.iteration_s = info.iteration_s;
    job.cls = class_of(info, out.classes);
    job.model = static_cast<std::uint16_t>(model_names.number(table, row, model));
    check_seconds(job.ideal_s(), table, row, duration);
    read.add(job, place_of(table, row, id));
  }
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
}

}  // namespace palstudy
