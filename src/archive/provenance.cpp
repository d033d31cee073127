// SPDX-License-Identifier: MIT
#include "archive/provenance.hpp"

#include "archive/value_json.hpp"
#include "core/build_info.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"

namespace palstudy {

void write_origin(hdf5::File& file, const Provenance& from) {
  const BuildInfo& build = build_info();
  const auto text = [&](const char* name, const std::string& value) { write_attribute(file, "/", name, value); };
  text("program", "palstudy");
  text("program_version", build.version);
  text("program_commit", build.commit);
  text("compiler", build.compiler);
  text("compiler_flags", build.flags);
  text("mpi_version", from.mpi_version);
  text("hdf5_version", hdf5::library_version());
  write_attribute(file, "/", "ranks", from.ranks);
  text("command_line", from.command_line);
  text("host", from.host);
  text("start_utc", from.start_utc);
  text("end_utc", from.end_utc);
  text("profile.origin", from.profile_origin);
  write_notes(file, from.notes);
  std::vector<std::string> inputs;
  for (const auto& [path, sha256] : from.input_sha256) inputs.push_back(sha256 + "  " + path);
  write_attribute(file, "/", "input_sha256", inputs);
}

const std::vector<std::string>& origin_attributes() {
  static const std::vector<std::string> names = {
      "schema_version", "program",     "program_version", "program_commit", "compiler",
      "compiler_flags", "mpi_version", "hdf5_version",    "ranks",          "command_line",
      "host",           "start_utc",   "end_utc",         "profile.origin", "notes",  // until 1.7
      "input_sha256"};
  return names;
}

void write_provenance(hdf5::File& file, const Provenance& from) {
  write_attribute(file, "/", "study", from.resolved_study);
  write_attribute(file, "/", "study.name", from.study_name);
  write_attribute(file, "/", "study.title", from.study_title);
  if (!from.study_question.empty()) write_attribute(file, "/", "study.question", from.study_question);
  write_attribute(file, "/", "study.folder", from.study_folder);
  if (!from.study_license.empty()) write_attribute(file, "/", "license", from.study_license);
  if (!from.study_creator.empty()) write_attribute(file, "/", "creator", from.study_creator);
  write_origin(file, from);
  write_attribute(file, "/", "compare.metric", from.compare_metric);
  write_attribute(file, "/", "compare.baseline", from.baselines);
  if (from.measured_sets.known()) write_attribute(file, "/", "measured_sets", json_text(from.measured_sets));
  if (from.looks.known()) write_attribute(file, "/", "looks", json_text(from.looks));
  if (const TraceBlocks& of = from.resampled; of.how != Resampling::none) {
    write_attribute(file, "/", "resample", std::string(name_of(of.how)));
    write_attribute(file, "/", "resample.blocks", static_cast<std::int64_t>(of.blocks));
    write_attribute(file, "/", "resample.groups", static_cast<std::int64_t>(of.groups));
    write_attribute(file, "/", "resample.tail_days", static_cast<std::int64_t>(of.tail_days));
    if (of.empty > 0) write_attribute(file, "/", "resample.empty", static_cast<std::int64_t>(of.empty));
  }
  write_batch_jobs(file, from.jobs);
  // Once more as a dataset, whose checksum a reader checks, and which any tool can take out of the file.
  const std::vector<std::string> study{from.resolved_study};
  write_dataset(file, "/study/resolved", study,
                {"1", "The study with its defaults, as TOML; it runs again from there."});
  share_rows(file, "/study/resolved", {"/study/resolved"});
  write_renamed_ids(file, from.renamed_ids);
}

void write_renamed_ids(hdf5::File& file, const std::map<std::string, std::string>& ids) {
  if (ids.empty()) return;
  std::vector<std::string> from, to;
  for (const auto& [resolved, archived] : ids) {
    from.push_back(resolved);
    to.push_back(archived);
  }
  write_dataset(file, renamed_from_path, from,
                {"1", "Id of a run by the resolved study, whose paths a bundle replaced."});
  write_dataset(file, renamed_to_path, to, {"1", "Its id in /runs, by the paths at first."});
  share_rows(file, renamed_from_path, {renamed_to_path});
}

}  // namespace palstudy
