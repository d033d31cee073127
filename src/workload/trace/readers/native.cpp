// SPDX-License-Identifier: MIT
// Our own format: everything that a job is stands in its row.
#include <cstdint>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

std::optional<std::size_t> optional_column(const CsvTable& table, std::string_view name) {
  if (!table.has_column(name)) return std::nullopt;
  return table.column(name);
}

/// The number of a row's name in a column that need not be there: then all have the first name, which is "".
std::uint16_t optional_name(const CsvTable& table, std::size_t row, std::optional<std::size_t> column,
                            NameIndex& names) {
  return column ? static_cast<std::uint16_t>(names.number(table, row, *column)) : std::uint16_t{0};
}

void read_native(TraceText trace, const TraceContext&, TraceJobs& read) {
  const CsvTable table = CsvTable::parse(std::move(trace.text), std::move(trace.name));
  Workload& out = read.workload;
  const std::size_t id = table.column("job_id"), submit = table.column("submit_s"), gpus = table.column("num_gpus"),
                    iterations = table.column("iterations"), iteration = table.column("iteration_s"),
                    cls = table.column("class");
  const auto model = optional_column(table, "model"), tenant = optional_column(table, "tenant"),
             user = optional_column(table, "user"), name = optional_column(table, "name"),
             predicted = optional_column(table, "predicted_s"), estimate = optional_column(table, "estimate_s");
  if (!model) out.models = {""};
  NameIndex classes(out.classes, "classes", UINT32_MAX), models(out.models, "models", UINT16_MAX),
      tenants(out.tenants, "tenants", UINT16_MAX), users(out.users, "users", UINT32_MAX),
      names(out.names, "names of jobs", UINT32_MAX);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.text(row, cls).empty())
      throw data_error("a job without a class", table.where(row, cls), "name one of the cluster's");
    Job job;
    job.id = job_id(table, row, id);
    job.submit_s = submit_time(table, row, submit);
    job.gpus = job_gpus(table, row, gpus);
    job.iterations = positive(table, row, iterations, "work");
    job.iteration_s = positive(table, row, iteration, "an iteration time");
    job.cls = ClassId(classes.number(table, row, cls));
    job.model = optional_name(table, row, model, models);
    job.tenant = optional_name(table, row, tenant, tenants);
    if (user) job.user = users.number(table, row, *user);
    if (name) job.name = names.number(table, row, *name);
    if (predicted && !table.text(row, *predicted).empty()) job.predicted_s = table.number(row, *predicted);
    check_seconds(job.ideal_s(), table, row, iterations);
    if (estimate) {
      job.estimate_s = positive(table, row, *estimate, "an estimate");
      check_seconds(job.estimate_s, table, row, *estimate);
    }
    read.add(job, place_of(table, row, id));
  }
}

}  // namespace

void register_reader_native(ReaderRegistry& registry) {
  registry.add({"native",
                "The program's own format: job_id, submit_s, num_gpus, iterations, iteration_s, class and, if wanted, "
                "model, tenant, user, name (of the job), estimate_s and predicted_s.",
                {},
                {.read = read_native, .published = "carried: jobs/traces/sia-philly/continued", .licence = "MIT"}});
}

}  // namespace palstudy
