// SPDX-License-Identifier: MIT
// cluster_log.csv of the Helios traces (Hu et al., SC'21). What it says of a job's end (state) has no column in /jobs:
// a job runs for as long as it did there, however it ended.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "workload/synthetic/drawn_models.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

struct Columns {
  explicit Columns(const CsvTable& table)
      : id(table.column("job_id")),
        vc(table.column("vc")),
        gpus(table.column("gpu_num")),
        submit(table.column("submit_time")),
        start(table.column("start_time")),
        duration(table.column("duration")) {
    if (table.has_column("user")) user = table.column("user");
  }
  std::size_t id, vc, gpus, submit, start, duration;
  std::optional<std::size_t> user;
};

double time_of(const CsvTable& table, std::size_t row, std::size_t column) {
  if (const auto time = calendar_s(table.text(row, column))) return *time;
  throw data_error("\"" + std::string(table.text(row, column)) + "\" is not a time", table.where(row, column),
                   "times look like 2020-06-09 18:41:01");
}

/// Why a row makes no job; "" if it does.
std::string unusable(const CsvTable& table, std::size_t row, const Columns& at) {
  if (table.integer(row, at.gpus, 0, most_job_gpus) == 0) return "want no GPU";
  const auto start = table.text(row, at.start);
  if (start.empty() || start == "None" || table.text(row, at.duration).empty()) return "never started";
  if (table.number(row, at.duration) == 0) return "ran for no time";
  return time_of(table, row, at.start) < time_of(table, row, at.submit) ? "start before they are submitted" : "";
}

void read_helios(TraceText trace, const TraceContext& context, TraceJobs& read) {
  const CsvTable table = CsvTable::parse(std::move(trace.text), std::move(trace.name));
  const Columns at(table);
  const DrawnModels models = add_models(context.models, read.workload);
  NameIndex tenants(read.workload.tenants, "tenants", UINT16_MAX), users(read.workload.users, "users", UINT32_MAX);
  SkippedRecords left_out;
  double first_s = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (const auto reason = unusable(table, row, at); !reason.empty()) {
      left_out.add(reason, table.line(row));
      continue;
    }
    const double seconds = positive(table, row, at.duration, "a run time");
    check_seconds(seconds, table, row, at.duration);
    Job job = models.job_of_trace(context.seed, job_id(table, row, at.id), seconds);
    job.submit_s = time_of(table, row, at.submit);
    const double started_s = time_of(table, row, at.start);
    record_times(read.workload, job, {started_s, started_s + seconds});
    job.gpus = job_gpus(table, row, at.gpus);
    job.tenant = static_cast<std::uint16_t>(tenants.number(table, row, at.vc));
    if (at.user) job.user = users.number(table, row, *at.user);
    first_s = std::min(first_s, job.submit_s);
    read.add(job, place_of(table, row, at.id));
  }
  if (!read.workload.jobs.empty()) count_from(read.workload, midnight_s(first_s));
  left_out.note(table.rows(), read.workload.notes);
}

bool looks_like_helios(std::string_view beginning) {
  return names_columns(beginning, {"job_id", "vc", "gpu_num", "submit_time", "start_time", "duration"});
}

}  // namespace

void register_reader_helios(ReaderRegistry& registry) {
  registry.add({"helios",
                "cluster_log.csv of Helios: job_id, vc (the tenant), gpu_num, submit_time, start_time, duration (s); "
                "time 0 is the first job's midnight, models are drawn, CPU jobs are left out.",
                {},
                {.read = read_helios,
                 .published = "https://github.com/S-Lab-System-Group/HeliosData",
                 .licence = "CC BY 4.0",
                 .draws_models = true,
                 .looks = looks_like_helios}});
}

}  // namespace palstudy
