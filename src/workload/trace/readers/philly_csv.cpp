// SPDX-License-Identifier: MIT
// Jobs of Microsoft's Philly cluster as others have published them and as they are carried here: one run of a job a
// row, with the virtual cluster as its tenant. philly-csv: 82,247 jobs by AdaptDL's authors. gavel: jobs as Gavel's
// authors prepared them, with the run times that their throughputs give; the models in that file were assigned at
// random by them, from families without measurements here. Both lack ids and models: jobs are numbered as they stand in
// the file, from 0, and models are drawn.
#include <cstdint>
#include <utility>

#include "workload/synthetic/drawn_models.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

struct PhillyColumns {
  const char *submit, *seconds;
  const char* place;  // the column that messages about a job name
  bool has_cpu_jobs;  // else jobs may lack a run time
};

void read_philly_columns(TraceText trace, const TraceContext& context, TraceJobs& read, const PhillyColumns& format) {
  const CsvTable table = CsvTable::parse(std::move(trace.text), std::move(trace.name));
  const std::size_t submit = table.column(format.submit), duration = table.column(format.seconds),
                    gpus = table.column("num_gpus"), vc = table.column("vc"), place = table.column(format.place);
  const DrawnModels models = add_models(context.models, read.workload);
  NameIndex tenants(read.workload.tenants, "tenants", UINT16_MAX);
  SkippedRecords left_out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (format.has_cpu_jobs && table.integer(row, gpus) == 0) {
      left_out.add("want no GPU", table.line(row));
      continue;
    }
    const std::uint32_t wanted = job_gpus(table, row, gpus);
    const double submitted = submit_time(table, row, submit);
    if (!format.has_cpu_jobs && table.text(row, duration).empty()) {
      left_out.add("have no run time, since their model was not measured on so many GPUs", table.line(row));
      continue;
    }
    const double seconds = positive(table, row, duration, "a run time");
    check_seconds(seconds, table, row, duration);
    Job job = models.job_of_trace(context.seed, static_cast<std::int64_t>(row), seconds);
    job.submit_s = submitted;
    job.gpus = wanted;
    job.tenant = static_cast<std::uint16_t>(tenants.number(table, row, vc));
    read.add(job, place_of(table, row, place));
  }
  left_out.note(table.rows(), read.workload.notes);
}

void read_philly_csv(TraceText trace, const TraceContext& context, TraceJobs& read) {
  read_philly_columns(std::move(trace), context, read, {"submit_s", "duration_s", "submit_s", true});
}

void read_gavel(TraceText trace, const TraceContext& context, TraceJobs& read) {
  read_philly_columns(std::move(trace), context, read, {"arrival_s", "runtime_v100_s", "vc", false});
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
