// SPDX-License-Identifier: MIT
#include "bundle/bundle_facts.hpp"

#include <algorithm>

#include "archive/archive.hpp"
#include "core/host.hpp"
#include "core/sha256.hpp"
#include "hdf5/hdf5.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

std::int64_t most(const std::vector<std::int64_t>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/// Of every start of the program; an archive without them still has the time of every run.
void add_use(const std::filesystem::path& archive, const ArchiveReader& reader, BundleFacts& facts) {
  const hdf5::File file = hdf5::File::open(archive);
  const std::string jobs = "/provenance/jobs/";
  if (file.exists(jobs + "core_hours")) {
    const auto hours = read_reals(file, jobs + "core_hours");
    for (const double one : hours) facts.core_hours += one;
    facts.starts = static_cast<std::int64_t>(hours.size());
    facts.nodes = most(read_integers(file, jobs + "nodes"));
    facts.ranks = most(read_integers(file, jobs + "ranks"));
    return;
  }
  const TableData runs = reader.table(TableId::provenance_runs);
  const auto& wall_s = reals_of(runs, "wall_s");
  const auto& cores = integers_of(runs, "cores");
  constexpr double seconds = 3600;
  for (std::size_t i = 0; i < wall_s.size(); ++i)
    facts.core_hours += wall_s[i] * static_cast<double>(cores[i]) / seconds;
}

}  // namespace

const std::string& BundleFacts::at(const std::string& name) const {
  static const std::string none;
  const auto found = attributes.find(name);
  return found == attributes.end() ? none : found->second;
}

BundleFacts bundle_facts(const std::filesystem::path& archive) {
  const ArchiveReader reader(archive);
  BundleFacts facts;
  for (const char* name : {"schema", "digest", "study.name", "study.title", "program_version", "program_commit",
                           "compiler", "compiler_flags", "mpi_version", "hdf5_version", "ranks", "command_line", "host",
                           "start_utc", "end_utc", "profile.origin", "compare.metric", "notes"}) {
    facts.attributes[name] = reader.attribute(name);
  }
  const TextColumn status = std::get<TextColumn>(reader.column(TableId::runs, "status"));
  facts.runs = static_cast<std::int64_t>(status.codes.size());
  for (std::size_t row = 0; row < status.codes.size(); ++row) {
    facts.failed += status.at(row) == status_name(RunStatus::failed) ? 1 : 0;
  }
  facts.axes = reader.axis_keys();
  add_use(archive, reader, facts);
  facts.bundled_utc = utc_now();
  return facts;
}

BundleFile bundle_file(const std::filesystem::path& bundle, const std::string& path, const std::string& what) {
  static const std::map<std::string, std::string> encodings = {
      {".h5", "application/x-hdf5"}, {".toml", "application/toml"}, {".csv", "text/csv"},
      {".md", "text/markdown"},      {".json", "application/json"}, {".txt", "text/plain"}};
  const auto known = encodings.find(std::filesystem::path(path).extension().string());
  BundleFile file;
  file.path = path;
  file.what = what;
  file.encoding = known == encodings.end() ? "text/plain" : known->second;
  file.sha256 = sha256_file(bundle / path);
  file.bytes = std::filesystem::file_size(bundle / path);
  return file;
}

}  // namespace palstudy
