// SPDX-License-Identifier: MIT
#include "bundle/bundle_metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "archive/batch_jobs.hpp"
#include "bundle/data_source.hpp"
#include "core/host.hpp"
#include "core/numbers.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "record/tables.hpp"
#include "study/bundle_manifest.hpp"

namespace palstudy {

BundleFacts::BundleFacts(const std::filesystem::path& file)
    : archive(file), axes(archive.axis_keys()), bundled_utc(utc_now()) {
  const TextColumn status = std::get<TextColumn>(archive.column(TableId::runs, "status"));
  runs = static_cast<std::int64_t>(status.codes.size());
  for (std::size_t row = 0; row < status.codes.size(); ++row) {
    failed += status.at(row) == status_name(RunStatus::failed) ? 1 : 0;
  }
  for (const BatchJob& job : archived_jobs(file)) {
    ++starts;
    nodes = std::max(nodes, job.nodes);
    ranks = std::max(ranks, job.ranks);
    core_hours += job.core_hours();
  }
  if (starts > 0) return;
  const TableData times = archive.table(TableId::provenance_runs);  // no start has left a record
  for (std::size_t i = 0; i < times.rows(); ++i) {
    core_hours += reals_of(times, "wall_s")[i] * static_cast<double>(integers_of(times, "cores")[i]) / hour_s;
  }
}

BundleFile bundle_file(const std::filesystem::path& bundle, const std::string& path, const std::string& what) {
  static const std::map<std::string, std::string> encodings = {
      {".h5", "application/x-hdf5"}, {".toml", "application/toml"}, {".csv", "text/csv"},
      {".md", "text/markdown"},      {".json", "application/json"}, {".txt", "text/plain"}};
  const auto known = encodings.find(std::filesystem::path(path).extension().string());
  return {path, what, known == encodings.end() ? "text/plain" : known->second, sha256_file(bundle / path),
          std::filesystem::file_size(bundle / path)};
}

namespace {

std::string size_text(std::uintmax_t bytes) {
  return fmt::format("{:.3g} MiB ({} bytes)", static_cast<double>(bytes) / mib, bytes);
}

/// How the results were computed, a row of a table each.
std::string computed_how(const BundleFacts& facts, std::uintmax_t archive_bytes) {
  const std::string nodes = facts.nodes > 1 ? fmt::format(" and others, up to {} nodes", facts.nodes) : "";
  const std::string starts = facts.starts > 1 ? fmt::format(" in {} starts", facts.starts) : "";
  const std::string mpi = facts.at("mpi_version");
  std::string text;
  for (const auto& [what, value] : std::initializer_list<std::pair<const char*, std::string>>{
           {"program", fmt::format("palstudy {}, commit {}", facts.at("program_version"), facts.at("program_commit"))},
           {"compiler", fmt::format("{}, `{}`", facts.at("compiler"), facts.at("compiler_flags"))},
           {"MPI", mpi.empty() ? "none" : mpi},
           {"HDF5", facts.at("hdf5_version")},
           {"host", facts.at("host") + nodes},
           {"ranks", facts.ranks > 0 ? std::to_string(facts.ranks) : facts.at("ranks")},
           {"from, to (UTC)", facts.at("start_utc") + ", " + facts.at("end_utc")},
           {"core-hours", fmt::format("{:.4g}{}", facts.core_hours, starts)},
           {"archive", fmt::format("{}, {}", facts.at("schema"), size_text(archive_bytes))},
           {"creator", facts.at("creator")},
           {"licence of the results", facts.at("license")}}) {
    if (!value.empty()) text += fmt::format("| {} | {} |\n", what, value);
  }
  return text;
}

std::string licences(const std::vector<BundleFile>& files) {
  std::string text;
  for (const BundleFile& file : files) {
    const bool facts = file.licence == "NONE";
    if ((file.licence.empty() && file.source.empty()) || (facts && file.path.starts_with("data/LICENSE"))) continue;
    text += fmt::format("* `{}`: {}{}\n", file.path,
                        facts ? "facts, without a licence; cite what the README beside it names" : file.licence,
                        file.source.empty() ? "" : ", from <" + file.source + ">");
  }
  return text.empty() ? "No input came from elsewhere with a licence that is known.\n" : text;
}

}  // namespace

std::string artifact_description(const BundleFacts& facts, const std::vector<BundleFile>& files) {
  std::uintmax_t bytes = 0, archive_bytes = 0;
  std::string title = facts.at("study.title"), listed, notes;
  if (!title.empty()) title += "\n\n";
  for (const BundleFile& file : files) {
    bytes += file.bytes;
    if (file.path == bundled_archive_name) archive_bytes = file.bytes;
    listed += fmt::format("| `{}` | {} | {} | `{}` |\n", file.path, file.what, file.bytes, file.sha256);
  }
  for (const WordedNote& one : facts.archive.notes()) notes += one.text + "\n";
  if (!notes.empty()) notes = "\n## A.6 What was said of the inputs\n\n" + notes;
  return fmt::format(
      R"(# Artifact description: {name}

{title}Made by `palstudy bundle` from the provenance in the archive. What a paper adds: which of its figures and tables
each command below stands behind.

{anonymous}## A.1 The artifact

A simulation study of {runs} ({failed} failed) over the axes {axes} (seeds aside). In all {size}.

| file | what | size | SHA-256 |
|---|---|---:|---|
{files}
## A.2 How it was computed

| | |
|---|---|
{how}
Command:

    {command}

## A.3 To check it without computing

    palstudy verify archive.h5      # schema, checksums, digests, metrics against rows
    palstudy digest archive.h5
    palstudy compare archive.h5     # the tables of the results

Any HDF5 reader opens the archive (h5py, xarray, h5dump); every dataset says its units and what it is.

## A.4 To compute it again

Build palstudy {version} (commit {commit}); no GPU is needed. About {core_hours:.3g} core-hours, {disk} of disk. In this folder:

    mpirun -n 4 palstudy run . -o ../again.h5    # on any number of ranks
    palstudy diff archive.h5 ../again.h5         # identical
    palstudy digest ../again.h5

Expected digest:

    {digest}

Reproduced means: `identical`, with the same binary on the same kind of processor, whatever the number of ranks. Another
compiler or processor may round otherwise; then `same schedule` (all jobs start and end alike) or `within intervals`
(the 95 % intervals of every compared mean overlap) is what `diff` has to say.

## A.5 Sources and licences

{licences}{notes})",
      fmt::arg("name", facts.at("study.name")), fmt::arg("title", title),
      fmt::arg("anonymous", facts.anonymous ? "Hosts, users, accounts, paths and device names are numbered or "
                                              "removed in all files; equal numbers were equal names.\n\n"
                                            : ""),
      fmt::arg("runs", counted(facts.runs, "run")), fmt::arg("failed", facts.failed),
      fmt::arg("axes", facts.axes.empty() ? "none" : join(facts.axes)), fmt::arg("size", size_text(bytes)),
      fmt::arg("files", listed), fmt::arg("how", computed_how(facts, archive_bytes)),
      fmt::arg("command", facts.at("command_line")), fmt::arg("version", facts.at("program_version")),
      fmt::arg("commit", facts.at("program_commit")), fmt::arg("core_hours", facts.core_hours),
      fmt::arg("disk", size_text(2 * archive_bytes)), fmt::arg("digest", facts.at("digest")),
      fmt::arg("licences", licences(files)), fmt::arg("notes", notes));
}

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* specification = "https://w3id.org/ro/crate/1.1";
constexpr const char* licence_to_choose = "#licence-to-choose";
constexpr const char* stated_licence = "#licence";

Json id(const std::string& name) { return {{"@id", name}}; }

Json entity(const std::string& name, const char* type, const Json& properties) {
  Json made = {{"@id", name}, {"@type", type}};
  made.update(properties);
  return made;
}

/// The licence of the results: a URL, or words of the study.
std::string licence_id(const BundleFacts& facts) {
  const std::string stated = facts.at("license");
  if (stated.empty()) return licence_to_choose;
  if (stated.find("://") != stated.npos) return stated;
  return stated.find(' ') == stated.npos ? spdx_licences + stated : stated_licence;
}

/// Names are escaped as in a URL, as JSON-LD wants ids.
std::string file_id(const BundleFile& file) { return replaced(replaced(file.path, "%", "%25"), " ", "%20"); }

Json file_entity(const BundleFacts& facts, const BundleFile& file) {
  Json made = entity(file_id(file), "File",
                     {{"name", file.path},
                      {"description", file.what},
                      {"contentSize", std::to_string(file.bytes)},
                      {"encodingFormat", file.encoding},
                      {"sha256", file.sha256}});
  if (file.licence.empty()) made["license"] = id(licence_to_choose);
  if (file.path == bundled_archive_name) made["license"] = id(licence_id(facts));
  for (const std::string& licence : licences_of(file.licence)) made["license"].push_back(id(spdx_licences + licence));
  if (!file.source.empty()) made["isBasedOn"] = id(file.source);
  return made;
}

/// The whole, with its parts.
Json root(const BundleFacts& facts, const std::vector<BundleFile>& files) {
  Json parts = Json::array();
  for (const BundleFile& file : files) parts.push_back(id(file_id(file)));
  const std::string title = facts.at("study.title"), name = facts.at("study.name");
  return entity("./", "Dataset",
                {{"name", title.empty() ? name : title},
                 {"description", fmt::format("A simulation study of GPU scheduling by palstudy: {}, their archive, "
                                             "their study and their inputs. Archive digest {}.",
                                             counted(facts.runs, "run"), facts.at("digest"))},
                 {"datePublished", facts.bundled_utc.substr(0, facts.bundled_utc.find('T'))},
                 {"license", id(licence_id(facts))},
                 {"identifier", facts.at("digest")},
                 {"creator", id(facts.at("creator").empty() ? "#agent" : "#creator")},
                 {"hasPart", parts},
                 {"mentions", id("#campaign")}});
}

Json campaign(const BundleFacts& facts, const std::vector<BundleFile>& files) {
  Json objects = Json::array();
  for (const BundleFile& file : files) {
    if (file.path == "study.toml" || file.path.starts_with("inputs/") || file.path.ends_with(".csv")) {
      objects.push_back(id(file_id(file)));
    }
  }
  return entity("#campaign", "CreateAction",
                {{"name", fmt::format("{} of the study {}", counted(facts.runs, "run"), facts.at("study.name"))},
                 {"description", facts.at("command_line")},
                 {"startTime", facts.at("start_utc")},
                 {"endTime", facts.at("end_utc")},
                 {"instrument", id("#palstudy")},
                 {"agent", id("#agent")},
                 {"location", id("#host")},
                 {"actionStatus", id("http://schema.org/CompletedActionStatus")},
                 {"object", objects},
                 {"result", id(bundled_archive_name)}});
}

Json program(const BundleFacts& facts) {
  const std::string version = facts.at("program_version");
  return entity(
      "#palstudy", "SoftwareApplication",
      {{"name", "palstudy"},
       {"version", version},
       {"softwareVersion", fmt::format("{} (commit {})", version, facts.at("program_commit"))},
       {"description", fmt::format("Compiled by {} with {}; {}; HDF5 {}", facts.at("compiler"),
                                   facts.at("compiler_flags"), facts.at("mpi_version"), facts.at("hdf5_version"))},
       {"license", id(std::string(spdx_licences) + "MIT")}});
}

/// The licences and sources that the others refer to, by id.
std::map<std::string, Json> works(const BundleFacts& facts, const std::vector<BundleFile>& files) {
  std::map<std::string, Json> made;
  const auto add = [&](const std::string& url, const std::string& name) {
    made.emplace(url, entity(url, "CreativeWork", {{"name", name}, {"identifier", url}, {"url", url}}));
  };
  const std::string stated = licence_id(facts);
  made[licence_to_choose] = entity(
      licence_to_choose, "CreativeWork",
      {{"name", "To be chosen"},
       {"description", "Whoever publishes this bundle chooses the licence of the results and of their own inputs."}});
  if (stated == stated_licence) {
    made[stated] = entity(stated, "CreativeWork", {{"name", facts.at("license")}});
  } else if (stated != licence_to_choose) {
    add(stated, stated.substr(stated.rfind('/') + 1));
  }
  add(std::string(spdx_licences) + "MIT", "MIT");
  for (const BundleFile& file : files) {
    for (const std::string& licence : licences_of(file.licence)) add(spdx_licences + licence, licence);
    if (!file.source.empty()) add(file.source, file.source);
  }
  return made;
}

}  // namespace

std::string ro_crate(const BundleFacts& facts, const std::vector<BundleFile>& files) {
  Json graph = {entity(crate_name, "CreativeWork", {{"conformsTo", id(specification)}, {"about", id("./")}}),
                root(facts, files)};
  for (const BundleFile& file : files) graph.push_back(file_entity(facts, file));
  graph.push_back(campaign(facts, files));
  graph.push_back(program(facts));
  graph.push_back(entity("#agent", "Person", {{"name", facts.agent}}));
  if (const auto creator = facts.at("creator"); !creator.empty()) {
    graph.push_back(entity("#creator", "Person", {{"name", creator}}));
  }
  graph.push_back(entity("#host", "Place", {{"name", facts.at("host")}}));
  for (const auto& [name, work] : works(facts, files)) graph.push_back(work);
  // `sha256` came into schema.org after RO-Crate 1.1 had taken its terms from there.
  const Json context = {std::string(specification) + "/context", {{"sha256", "https://schema.org/sha256"}}};
  const Json crate = {{"@context", context}, {"@graph", graph}};
  return crate.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace palstudy
