// SPDX-License-Identifier: MIT
#include "bundle/run_export.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <span>
#include <string>
#include <vector>

#include "archive/export.hpp"
#include "archive/reader.hpp"
#include "bundle/archived_study.hpp"
#include "bundle/bundle_inputs.hpp"
#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "inputs/inputs.hpp"
#include "study/run_study.hpp"
#include "workload/trace/native_trace.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

void refuse_lost(const fs::path& read, const std::vector<fs::path>& outputs) {
  for (const fs::path& output : outputs) {
    if (std::error_code none; !fs::equivalent(read, output, none)) continue;
    throw usage_error("is read by this command and would be lost", output.string(), "give another -o");
  }
}

/// What is written is read back and compared, so that no name and no number is lost unnoticed.
std::string checked_trace(const Workload& jobs, const std::string& name) {
  std::string trace = native_trace(jobs);
  const Workload back = parse_trace(trace, name, native_reader, ModelTable{});
  if (!same_jobs(jobs, back)) throw fault("a native trace gives other jobs", name);
  if (!same_order_of_tenants(jobs, back)) {
    spdlog::warn("{}: tenants are numbered in another order here, so that ties between tenants may go otherwise", name);
  }
  return trace;
}

}  // namespace

fs::path study_beside(const fs::path& trace) {
  if (trace.extension() == ".toml") {
    throw usage_error("is the name of a study, which is written beside the trace", trace.string(),
                      "give -o the name of a CSV file");
  }
  return fs::path(trace).replace_extension(".toml");
}

void export_run(const RunExport& what) {
  const fs::path path = archive_of(what.archive);
  const ArchiveReader archive(path);
  const std::vector<fs::path> outputs = {what.trace, study_beside(what.trace)};
  require_run(archive, what.run, "--trace");
  for (const fs::path& output : outputs) require_new_output(output, what.force);
  refuse_lost(path, outputs);

  Study study = archived_study(archive, path);
  MovedFiles moved{what.trace.filename().string(), {}};
  const fs::path folder = fs::absolute(what.trace).parent_path();
  for (const BundledInput& input : find_inputs(archive, study, path)) {
    refuse_lost(input.source, outputs);
    if (input.own) continue;
    study.bundled.files[input.written] = fs::absolute(input.source);
    moved.paths[input.written] = fs::proximate(input.source, folder).string();
  }
  Inputs inputs(study);
  const std::string trace =
      checked_trace(inputs.load(study.runs.at(static_cast<std::size_t>(what.run))).workload, what.trace.string());
  const std::string again =
      fmt::format("# Run {} of {} alone, with its jobs as they were.\n", what.run, path.filename().string()) +
      study_of_run(study, what.run, moved);

  make_folder_of(what.trace);
  DurableFile jobs(outputs[0]), study_file(outputs[1]);
  jobs.append(std::as_bytes(std::span(trace)));
  study_file.append(std::as_bytes(std::span(again)));
  jobs.commit();
  study_file.commit();
}

}  // namespace palstudy
