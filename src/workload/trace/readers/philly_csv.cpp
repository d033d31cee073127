// SPDX-License-Identifier: MIT
// The 82,247 jobs of Microsoft's Philly cluster that AdaptDL's authors published, as they are carried here: one run of
// a job a row, with the virtual cluster as its tenant. It has neither ids nor models: jobs are numbered as they stand
// in the file, from 0, and models are drawn.
#include <cstdint>
#include <utility>

#include "workload/synthetic/drawn_models.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

void read_philly_csv(TraceText trace, const TraceContext& context, TraceJobs& read) {
  const CsvTable table = CsvTable::parse(std::move(trace.text), std::move(trace.name));
  const std::size_t submit = table.column("submit_s"), duration = table.column("duration_s"),
                    gpus = table.column("num_gpus"), vc = table.column("vc");
  const DrawnModels models = add_models(context.models, read.workload);
  NameIndex tenants(read.workload.tenants, "tenants", UINT16_MAX);
  SkippedRecords left_out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.integer(row, gpus) == 0) {
      left_out.add("want no GPU", table.line(row));
      continue;
    }
    const double seconds = positive(table, row, duration, "a run time");
    check_seconds(seconds, table, row, duration);
    Job job = models.job_of_trace(context.seed, static_cast<std::int64_t>(row), seconds);
    job.submit_s = submit_time(table, row, submit);
    job.gpus = job_gpus(table, row, gpus);
    job.tenant = static_cast<std::uint16_t>(tenants.number(table, row, vc));
    read.add(job, place_of(table, row, submit));
  }
  left_out.note(table.rows(), read.workload.notes);
}

}  // namespace

void register_reader_philly_csv(ReaderRegistry& registry) {
  registry.add({"philly-csv",
                "82,247 Philly jobs as carried: submit_s, duration_s, num_gpus, vc (the tenant); ids are row numbers "
                "from 0, models are drawn.",
                {},
                {.read = read_philly_csv,
                 .published = "carried: jobs/traces/philly; https://github.com/petuum/adaptdl (branch osdi21-artifact)",
                 .licence = "Apache-2.0, data CC BY 4.0",
                 .draws_models = true}});
}

}  // namespace palstudy
