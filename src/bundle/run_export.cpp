// SPDX-License-Identifier: MIT
#include "bundle/run_export.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <span>
#include <string>
#include <vector>

#include "archive/export.hpp"
#include "archive/reader.hpp"
#include "bundle/bundle_inputs.hpp"
#include "bundle/verification.hpp"
#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "inputs/inputs.hpp"
#include "study/bundle_manifest.hpp"
#include "study/run_study.hpp"
#include "workload/trace/native_trace.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

fs::path archive_given(const fs::path& given) {
  return study_file_of_bundle(given) == given ? given : given / bundled_archive_name;
}

class ExportedRun {
 public:
  explicit ExportedRun(const RunExport& what)
      : what_(what), path_(archive_given(what.archive)), archive_(path_), study_path_(study_beside(what.trace)) {}

  void write() {
    require_run(archive_, what_.run, "--trace");
    require_outputs();
    load_study();
    const std::string trace = checked_trace();
    const std::string study = study_text();
    make_folder_of(what_.trace);
    DurableFile jobs(what_.trace), again(study_path_);
    jobs.append(std::as_bytes(std::span(trace)));
    again.append(std::as_bytes(std::span(study)));
    jobs.commit();
    again.commit();
  }

 private:
  void require_outputs() const {
    for (const fs::path& output : {what_.trace, study_path_}) require_new_output(output, what_.force);
  }

  /// The study in the archive, with its inputs where they lie now.
  void load_study() {
    const std::string where = path_.string() + ":/study/resolved";
    study_ = parse_study(archive_.resolved_study(), where);
    if (const auto other = ids_against_study(archive_, study_, archive_.renamed_ids(), where); !other.empty()) {
      throw data_error("its study does not give the runs that it has: " + other.front(), path_.string());
    }
    inputs_ = find_inputs(archive_, study_, path_);
    for (const BundledInput& input : inputs_) {
      if (!input.own) study_.bundled.files[input.written] = fs::absolute(input.source);
      refuse_lost(input.source);
    }
    refuse_lost(path_);
  }

  void refuse_lost(const fs::path& read) const {
    for (const fs::path& output : {what_.trace, study_path_}) {
      std::error_code none;
      if (!fs::equivalent(read, output, none)) continue;
      throw usage_error("is read by this command and would be lost", output.string(), "give another -o");
    }
  }

  /// What is written is read back and compared, so that no name and no number is lost unnoticed.
  [[nodiscard]] std::string checked_trace() const {
    Inputs inputs(study_);
    const Workload& jobs = inputs.load(study_.runs.at(static_cast<std::size_t>(what_.run))).workload;
    std::string trace = native_trace(jobs);
    const Workload back = parse_trace(trace, what_.trace.string(), native_reader, {});
    if (!same_jobs(jobs, back)) throw fault("a native trace gives other jobs", what_.trace.string());
    if (!same_order_of_tenants(jobs, back)) {
      spdlog::warn("{}: tenants are numbered in another order here, so that ties between tenants may go otherwise",
                   what_.trace.string());
    }
    return trace;
  }

  [[nodiscard]] std::string study_text() const {
    MovedFiles files{what_.trace.filename().string(), {}};
    const fs::path folder = fs::absolute(what_.trace).parent_path();
    for (const BundledInput& input : inputs_) {
      if (!input.own) files.paths[input.written] = fs::proximate(input.source, folder).string();
    }
    return fmt::format("# Run {} of {} alone, with its jobs as they were.\n", what_.run, path_.filename().string()) +
           study_of_run(study_, what_.run, files);
  }

  const RunExport& what_;
  fs::path path_;
  ArchiveReader archive_;
  fs::path study_path_;
  Study study_;
  std::vector<BundledInput> inputs_;
};

}  // namespace

fs::path study_beside(const fs::path& trace) {
  if (trace.extension() == ".toml") {
    throw usage_error("is the name of a study, which is written beside the trace", trace.string(),
                      "give -o the name of a CSV file");
  }
  return fs::path(trace).replace_extension(".toml");
}

void export_run(const RunExport& what) { ExportedRun(what).write(); }

}  // namespace palstudy
