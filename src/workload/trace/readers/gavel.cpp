// SPDX-License-Identifier: MIT
// Philly jobs by virtual cluster as Gavel's authors prepared them, with the run times that their throughputs give. The
// models in the file were assigned at random by them, from families without measurements here, so they are drawn
// from the model table.
#include <cstdint>
#include <utility>

#include "workload/synthetic/drawn_models.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

void read_gavel(TraceText trace, const TraceContext& context, TraceJobs& read) {
  const CsvTable table = CsvTable::parse(std::move(trace.text), std::move(trace.name));
  const std::size_t vc = table.column("vc"), arrival = table.column("arrival_s"), gpus = table.column("num_gpus"),
                    runtime = table.column("runtime_v100_s");
  const DrawnModels models = add_models(context.models, read.workload);
  NameIndex tenants(read.workload.tenants, "tenants", UINT16_MAX);
  SkippedRecords left_out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::uint32_t wanted = job_gpus(table, row, gpus);
    const double submitted = submit_time(table, row, arrival);
    if (table.text(row, runtime).empty()) {
      left_out.add("have no run time, since their model was not measured on so many GPUs", table.line(row));
      continue;
    }
    const double seconds = positive(table, row, runtime, "a run time");
    check_seconds(seconds, table, row, runtime);
    Job job = models.job_of_trace(context.seed, static_cast<std::int64_t>(row), seconds);
    job.submit_s = submitted;
    job.gpus = wanted;
    job.tenant = static_cast<std::uint16_t>(tenants.number(table, row, vc));
    read.add(job, place_of(table, row, vc));
  }
  left_out.note(table.rows(), read.workload.notes);
}

}  // namespace

void register_reader_gavel(ReaderRegistry& registry) {
  registry.add({"gavel",
                "Gavel's Philly jobs as carried: vc (the tenant), arrival_s, num_gpus, runtime_v100_s; ids are row "
                "numbers from 0, models are drawn.",
                {},
                {.read = read_gavel,
                 .published = "carried: jobs/traces/gavel-philly; https://github.com/stanford-futuredata/gavel",
                 .licence = "MIT, data CC BY 4.0",
                 .draws_models = true}});
}

}  // namespace palstudy
