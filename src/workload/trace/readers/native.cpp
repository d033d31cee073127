// SPDX-License-Identifier: MIT
// Our own format: everything that a job is stands in its row.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

/// The columns of a table, which remembers those that were asked for.
class NativeColumns {
 public:
  explicit NativeColumns(const CsvTable& table) : table_(table) {}

  std::size_t required(const std::string& name) {
    known_.push_back(name);
    return table_.column(name);
  }
  std::optional<std::size_t> optional(const std::string& name) {
    known_.push_back(name);
    return table_.has_column(name) ? std::optional(table_.column(name)) : std::nullopt;
  }

  /// Notes each column that is not read: under a misspelt name its values would be ignored silently.
  void note_others(std::vector<std::string>& notes) const {
    for (const std::string& name : table_.header())
      if (std::ranges::find(known_, name) == known_.end())
        notes.push_back(fmt::format("column \"{}\" is not read{}", name, suggestion(name, known_)));
  }

 private:
  const CsvTable& table_;
  std::vector<std::string> known_;
};

/// The number of a row's name in a column that need not be there: then all have the first name, which is "".
std::uint16_t optional_name(const CsvTable& table, std::size_t row, std::optional<std::size_t> column,
                            NameIndex& names) {
  return column ? static_cast<std::uint16_t>(names.number(table, row, *column)) : std::uint16_t{0};
}

void read_native(TraceText trace, const TraceContext&, TraceJobs& read) {
  const CsvTable table = CsvTable::parse(std::move(trace.text), std::move(trace.name));
  Workload& out = read.workload;
  NativeColumns columns(table);
  const std::size_t id = columns.required("job_id"), submit = columns.required("submit_s"),
                    gpus = columns.required("num_gpus"), iterations = columns.required("iterations"),
                    iteration = columns.required("iteration_s"), cls = columns.required("class");
  const auto model = columns.optional("model"), tenant = columns.optional("tenant"), user = columns.optional("user"),
             name = columns.optional("name"), predicted = columns.optional("predicted_s"),
             estimate = columns.optional("estimate_s");
  columns.note_others(out.notes);
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
