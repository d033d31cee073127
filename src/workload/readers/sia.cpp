// SPDX-License-Identifier: MIT
// The traces of PAL's artifact. `duration` is a number of iterations, in spite of its name: that is how the published
// simulator reads it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/error.hpp"
#include "core/text.hpp"
#include "workload/job_fields.hpp"
#include "workload/names.hpp"
#include "workload/reader.hpp"

namespace palstudy {
namespace {

const ModelInfo& model_of(const ModelTable& models, const CsvTable& table, std::size_t row, std::size_t column) {
  const auto name = table.text(row, column);
  const auto found = models.models.find(std::string(name));
  if (found != models.models.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [model, info] : models.models) known.push_back(model);
  const auto near = nearest(name, known);
  throw data_error(fmt::format("unknown model \"{}\"{}", name, near ? "; did you mean \"" + *near + "\"?" : ""),
                   table.where(row, column), "The table of models (workload.models) has: " + join(known) + ".");
}

ClassId class_of(const ModelInfo& model, std::vector<std::string>& classes) {
  const auto place = std::find(classes.begin(), classes.end(), model.cls);  // a handful
  const ClassId id(static_cast<std::size_t>(place - classes.begin()));
  if (place == classes.end()) classes.push_back(model.cls);
  return id;
}

void read_sia(const CsvTable& table, const ModelTable& models, Workload& out) {
  const std::size_t id = table.column("job_id"), gpus = table.column("num_gpus"), submit = table.column("submit_time"),
                    duration = table.column("duration"), model = table.column("model");
  Names model_names(out.models, "models", UINT16_MAX);
  out.tenants = {""};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const ModelInfo& info = model_of(models, table, row, model);
    Job job;
    job.id = job_id(table, row, id);
    job.gpus = job_gpus(table, row, gpus);
    job.submit_s = submit_time(table, row, submit);
    job.iterations = positive(table, row, duration, "work");
    job.iteration_s = info.iteration_s;
    job.cls = class_of(info, out.classes);
    job.model = static_cast<std::uint16_t>(model_names.number(table, row, model));
    check_length(job, table, row, duration);
    out.jobs.push_back(job);
  }
}

}  // namespace

void register_reader_sia(ReaderRegistry& registry) {
  registry.add(
      {"sia",
       "PAL's Sia-Philly traces: job_id, num_gpus, submit_time (s), duration (iterations) and model, which gives "
       "class and seconds per iteration.",
       {},
       read_sia});
}

}  // namespace palstudy
