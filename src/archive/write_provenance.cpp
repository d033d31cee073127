// SPDX-License-Identifier: MIT
#include "archive/write_provenance.hpp"

#include "core/build_info.hpp"

namespace palstudy {
void write_origin(hdf5::File& file, const Provenance& from) {
  const BuildInfo& build = build_info();
  const auto text = [&](const char* name, const std::string& value) { file.attribute("/", name, value); };
  text("program", "palstudy");
  text("program_version", build.version);
  text("program_commit", build.commit);
  text("compiler", build.compiler);
  text("compiler_flags", build.flags);
  text("mpi_version", from.mpi_version);
  text("hdf5_version", hdf5::library_version());
  file.attribute("/", "ranks", from.ranks);
  text("command_line", from.command_line);
  text("host", from.host);
  text("start_utc", from.start_utc);
  text("end_utc", from.end_utc);
  text("profile.origin", from.profile_origin);
  file.attribute("/", "notes", from.notes);
  std::vector<std::string> inputs;
  for (const auto& [path, sha256] : from.input_sha256) inputs.push_back(sha256 + "  " + path);
  file.attribute("/", "input_sha256", inputs);
}

const std::vector<std::string>& origin_attributes() {
  static const std::vector<std::string> names = {
      "schema_version", "program",        "program_version", "program_commit", "compiler", "compiler_flags",
      "mpi_version",    "hdf5_version",   "ranks",           "command_line",   "host",     "start_utc",
      "end_utc",        "profile.origin", "notes",           "input_sha256"};
  return names;
}

void write_provenance(hdf5::File& file, const Provenance& from) {
  file.attribute("/", "study", from.resolved_study);
  file.attribute("/", "study.name", from.study_name);
  file.attribute("/", "study.title", from.study_title);
  file.attribute("/", "study.folder", from.study_folder);
  if (!from.creator.empty()) file.attribute("/", "creator", from.creator);
  if (!from.license.empty()) file.attribute("/", "license", from.license);
  write_origin(file, from);
  file.attribute("/", "compare.metric", from.compare_metric);
  file.attribute("/", "compare.baseline", from.baselines);
  if (!from.measured.empty()) file.attribute("/", "measured", from.measured);
  if (!from.load.empty()) file.attribute("/", "offered_load", from.load);
  if (!from.stopping.empty()) file.attribute("/", "stop", from.stopping);
  if (const TraceBlocks& of = from.resampled; of.how != Resampling::none) {
    file.attribute("/", "resample", std::string(name_of(of.how)));
    file.attribute("/", "resample.blocks", static_cast<std::int64_t>(of.blocks));
    file.attribute("/", "resample.groups", static_cast<std::int64_t>(of.groups));
    file.attribute("/", "resample.tail_days", static_cast<std::int64_t>(of.tail_days));
  }
  write_host_jobs(file, from.jobs);
  // Once more as a dataset, whose checksum a reader checks, and which any tool can take out of the file.
  const std::vector<std::string> study{from.resolved_study};
  file.write("/study/resolved", std::span<const std::string>(study),
             {"1", "The study with its defaults, as TOML; it runs again from there."});
  file.share_rows("/study/resolved", {"/study/resolved"});
  write_renamed_ids(file, from.renamed_ids);
}

void write_renamed_ids(hdf5::File& file, const std::map<std::string, std::string>& ids) {
  if (ids.empty()) return;
  std::vector<std::string> from, to;
  for (const auto& [resolved, archived] : ids) {
    from.push_back(resolved);
    to.push_back(archived);
  }
  file.write(renamed_from_path, std::span<const std::string>(from),
             {"1", "Id of a run by the resolved study, whose paths a bundle replaced."});
  file.write(renamed_to_path, std::span<const std::string>(to), {"1", "Its id in /runs, by the paths at first."});
  file.share_rows(renamed_from_path, {renamed_to_path});
}

}  // namespace palstudy
