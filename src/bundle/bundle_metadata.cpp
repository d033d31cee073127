// SPDX-License-Identifier: MIT
#include "bundle/bundle_metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "bundle/bundle_folder.hpp"
#include "core/host.hpp"
#include "core/numbers.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "record/tables.hpp"
#include "study/bundle_manifest.hpp"

namespace palstudy {

namespace {

std::int64_t most(const std::vector<std::int64_t>& values) {
  return values.empty() ? 0 : *std::ranges::max_element(values);
}

/// Adds up the starts of the program; an archive without starts has the time of every run.
void add_use(BundleFacts& facts) {
  const hdf5::File& file = facts.archive.file();
  const std::string jobs = "/provenance/jobs/";
  if (file.exists(jobs + "core_hours")) {
    const auto hours = read_reals(file, jobs + "core_hours");
    for (const double one : hours) facts.core_hours += one;
    facts.starts = static_cast<std::int64_t>(hours.size());
    facts.nodes = most(read_integers(file, jobs + "nodes"));
    facts.ranks = most(read_integers(file, jobs + "ranks"));
    return;
  }
  const TableData runs = facts.archive.table(TableId::provenance_runs);
  const auto& wall_s = reals_of(runs, "wall_s");
  const auto& cores = integers_of(runs, "cores");
  constexpr double seconds = 3600;
  for (std::size_t i = 0; i < wall_s.size(); ++i)
    facts.core_hours += wall_s[i] * static_cast<double>(cores[i]) / seconds;
}

}  // namespace

BundleFacts::BundleFacts(const std::filesystem::path& file) : archive(file) {
  const TextColumn status = std::get<TextColumn>(archive.column(TableId::runs, "status"));
  runs = static_cast<std::int64_t>(status.codes.size());
  for (std::size_t row = 0; row < status.codes.size(); ++row) {
    failed += status.at(row) == status_name(RunStatus::failed) ? 1 : 0;
  }
  axes = archive.axis_keys();
  add_use(*this);
  bundled_utc = utc_now();
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

namespace {

std::string size_text(std::uintmax_t bytes) {
  return fmt::format("{:.3g} MiB ({} bytes)", static_cast<double>(bytes) / mib, bytes);
}

std::string artifacts(const std::vector<BundleFile>& files) {
  std::string text = "| file | what | size | SHA-256 |\n|---|---|---:|---|\n";
  for (const BundleFile& file : files) {
    text += fmt::format("| `{}` | {} | {} | `{}` |\n", file.path, file.what, file.bytes, file.sha256);
  }
  return text;
}

std::string licences(const std::vector<BundleFile>& files) {
  std::string text;
  for (const BundleFile& file : files) {
    const bool facts = file.licence == "NONE" && !file.path.starts_with("data/LICENSE");
    if ((file.licence.empty() && file.source.empty()) || (file.licence == "NONE" && !facts)) continue;
    text += fmt::format("* `{}`: {}{}\n", file.path,
                        facts ? "facts, without a licence; cite what the README beside it names" : file.licence,
                        file.source.empty() ? "" : ", from <" + file.source + ">");
  }
  return text.empty() ? "No input came from elsewhere with a licence that is known.\n" : text;
}

}  // namespace

std::string artifact_description(const BundleFacts& facts, const std::vector<BundleFile>& files) {
  std::uintmax_t bytes = 0, archive_bytes = 0;
  for (const BundleFile& file : files) {
    bytes += file.bytes;
    if (file.path == bundled_archive_name) archive_bytes = file.bytes;
  }
  std::string text = fmt::format("# Artifact description: {}\n\n", facts.at("study.name"));
  if (!facts.at("study.title").empty()) text += facts.at("study.title") + "\n\n";
  text +=
      "Made by `palstudy bundle` from the provenance in the archive. What a paper adds: which of its figures and "
      "tables\n"
      "each command below stands behind.\n\n";
  if (facts.anonymous) {
    text +=
        "Hosts, users, accounts, paths and device names are numbered or removed in all files; equal numbers were equal "
        "names.\n\n";
  }
  text += "## A.1 The artifact\n\n";
  text += fmt::format("A simulation study of {} ({} failed) over the axes {} (seeds aside). In all {}.\n\n",
                      counted(facts.runs, "run"), facts.failed, facts.axes.empty() ? "none" : join(facts.axes),
                      size_text(bytes));
  text += artifacts(files);
  text += "\n## A.2 How it was computed\n\n";
  text += "| | |\n|---|---|\n";
  const auto row = [&](const char* what, const std::string& value) {
    text += fmt::format("| {} | {} |\n", what, value);
  };
  row("program", fmt::format("palstudy {}, commit {}", facts.at("program_version"), facts.at("program_commit")));
  row("compiler", fmt::format("{}, `{}`", facts.at("compiler"), facts.at("compiler_flags")));
  row("MPI", facts.at("mpi_version").empty() ? "none" : facts.at("mpi_version"));
  row("HDF5", facts.at("hdf5_version"));
  row("host", fmt::format("{}{}", facts.at("host"),
                          facts.nodes > 1 ? fmt::format(" and others, up to {} nodes", facts.nodes) : ""));
  row("ranks", facts.ranks > 0 ? std::to_string(facts.ranks) : facts.at("ranks"));
  row("from, to (UTC)", facts.at("start_utc") + ", " + facts.at("end_utc"));
  row("core-hours",
      fmt::format("{:.4g}{}", facts.core_hours, facts.starts > 1 ? fmt::format(" in {} starts", facts.starts) : ""));
  row("archive", fmt::format("{}, {}", facts.at("schema"), size_text(archive_bytes)));
  if (!facts.at("creator").empty()) row("creator", facts.at("creator"));
  if (!facts.at("license").empty()) row("licence of the results", facts.at("license"));
  text += fmt::format("\nCommand:\n\n    {}\n", facts.at("command_line"));
  text +=
      "\n## A.3 To check it without computing\n\n"
      "    palstudy verify archive.h5      # schema, checksums, digests, metrics against rows\n"
      "    palstudy digest archive.h5\n"
      "    palstudy compare archive.h5     # the tables of the results\n\n"
      "Any HDF5 reader opens the archive (h5py, xarray, h5dump); every dataset says its units and what it is.\n";
  text += fmt::format(
      "\n## A.4 To compute it again\n\n"
      "Build palstudy {} (commit {}); no GPU is needed. About {:.3g} core-hours, {} of disk. In this folder:\n\n"
      "    mpirun -n 4 palstudy run . -o ../again.h5    # on any number of ranks\n"
      "    palstudy diff archive.h5 ../again.h5         # identical\n"
      "    palstudy digest ../again.h5\n\n"
      "Expected digest:\n\n    {}\n\n",
      facts.at("program_version"), facts.at("program_commit"), facts.core_hours, size_text(2 * archive_bytes),
      facts.at("digest"));
  text +=
      "Reproduced means: `identical`, with the same binary on the same kind of processor, whatever the number of "
      "ranks. Another\n"
      "compiler or processor may round otherwise; then `same schedule` (all jobs start and end alike) or `within "
      "intervals`\n"
      "(the 95 % intervals of every compared mean overlap) is what `diff` has to say.\n";
  text += "\n## A.5 Sources and licences\n\n" + licences(files);
  const auto notes = facts.archive.notes();
  if (!notes.empty()) text += "\n## A.6 What was said of the inputs\n\n";
  for (const WordedNote& one : notes) text += one.text + "\n";
  return text;
}

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* specification = "https://w3id.org/ro/crate/1.1";

Json id(const std::string& name) { return {{"@id", name}}; }

constexpr const char* licence_to_choose = "#licence-to-choose";

constexpr const char* stated_licence = "#licence";

/// The licence of the results: a URL, or words of the study.
std::string licence_id(const BundleFacts& facts) {
  const std::string stated = facts.at("license");
  if (stated.empty()) return licence_to_choose;
  if (stated.find("://") != stated.npos) return stated;
  return stated.find(' ') == stated.npos ? spdx_licences + stated : stated_licence;
}

/// Names are escaped as in a URL, as JSON-LD wants ids.
std::string file_id(const std::string& path) {
  std::string made;
  for (const char c : path) made += c == ' ' ? "%20" : c == '%' ? "%25" : std::string(1, c);
  return made;
}

Json file_entity(const BundleFile& file) {
  Json entity = {{"@id", file_id(file.path)},
                 {"@type", "File"},
                 {"name", file.path},
                 {"description", file.what},
                 {"contentSize", std::to_string(file.bytes)},
                 {"encodingFormat", file.encoding},
                 {"sha256", file.sha256}};
  if (file.licence.empty()) entity["license"] = id(licence_to_choose);
  for (const std::string& licence : licences_of(file.licence)) entity["license"].push_back(id(spdx_licences + licence));
  if (!file.source.empty()) entity["isBasedOn"] = id(file.source);
  return entity;
}

Json campaign(const BundleFacts& facts, const std::vector<BundleFile>& files) {
  Json objects = Json::array();
  for (const BundleFile& file : files) {
    if (file.path == "study.toml" || file.path.starts_with("inputs/") || file.path.ends_with(".csv")) {
      objects.push_back(id(file_id(file.path)));
    }
  }
  return {{"@id", "#campaign"},
          {"@type", "CreateAction"},
          {"name", fmt::format("{} of the study {}", counted(facts.runs, "run"), facts.at("study.name"))},
          {"description", facts.at("command_line")},
          {"startTime", facts.at("start_utc")},
          {"endTime", facts.at("end_utc")},
          {"instrument", id("#palstudy")},
          {"agent", id("#agent")},
          {"location", id("#host")},
          {"actionStatus", id("http://schema.org/CompletedActionStatus")},
          {"object", objects},
          {"result", id(bundled_archive_name)}};
}

/// What the others refer to.
void add_context(const BundleFacts& facts, const std::vector<BundleFile>& files, Json& graph) {
  graph.push_back(
      {{"@id", "#palstudy"},
       {"@type", "SoftwareApplication"},
       {"name", "palstudy"},
       {"version", facts.at("program_version")},
       {"softwareVersion", fmt::format("{} (commit {})", facts.at("program_version"), facts.at("program_commit"))},
       {"description", fmt::format("Compiled by {} with {}; {}; HDF5 {}", facts.at("compiler"),
                                   facts.at("compiler_flags"), facts.at("mpi_version"), facts.at("hdf5_version"))},
       {"license", id("https://spdx.org/licenses/MIT")}});
  graph.push_back({{"@id", "#agent"}, {"@type", "Person"}, {"name", facts.agent}});
  if (!facts.at("creator").empty())
    graph.push_back({{"@id", "#creator"}, {"@type", "Person"}, {"name", facts.at("creator")}});
  graph.push_back({{"@id", "#host"}, {"@type", "Place"}, {"name", facts.at("host")}});
  graph.push_back(
      {{"@id", licence_to_choose},
       {"@type", "CreativeWork"},
       {"name", "To be chosen"},
       {"description", "Whoever publishes this bundle chooses the licence of the results and of their own inputs."}});
  std::set<std::string> urls = {"https://spdx.org/licenses/MIT"};
  if (const std::string stated = licence_id(facts); stated == stated_licence) {
    graph.push_back({{"@id", stated}, {"@type", "CreativeWork"}, {"name", facts.at("license")}});
  } else if (stated != licence_to_choose) {
    urls.insert(stated);
  }
  std::set<std::string> sources;
  for (const BundleFile& file : files) {
    for (const std::string& licence : licences_of(file.licence)) urls.insert(spdx_licences + licence);
    if (!file.source.empty()) sources.insert(file.source);
  }
  for (const auto& url : urls) {
    graph.push_back(
        {{"@id", url}, {"@type", "CreativeWork"}, {"name", url.substr(url.rfind('/') + 1)}, {"identifier", url}});
  }
  for (const auto& source : sources)
    graph.push_back({{"@id", source}, {"@type", "CreativeWork"}, {"url", source}, {"name", source}});
}

}  // namespace

std::string ro_crate(const BundleFacts& facts, const std::vector<BundleFile>& files) {
  Json graph = Json::array();
  graph.push_back({{"@id", "ro-crate-metadata.json"},
                   {"@type", "CreativeWork"},
                   {"conformsTo", id(specification)},
                   {"about", id("./")}});
  Json parts = Json::array();
  for (const BundleFile& file : files) parts.push_back(id(file_id(file.path)));
  const std::string title = facts.at("study.title").empty() ? facts.at("study.name") : facts.at("study.title");
  graph.push_back(
      {{"@id", "./"},
       {"@type", "Dataset"},
       {"name", title},
       {"description", fmt::format("A simulation study of GPU scheduling by palstudy: {}, their archive, their "
                                   "study and their inputs. Archive digest {}.",
                                   counted(facts.runs, "run"), facts.at("digest"))},
       {"datePublished", facts.bundled_utc.substr(0, facts.bundled_utc.find('T'))},
       {"license", id(licence_id(facts))},
       {"identifier", facts.at("digest")},
       {"creator", id(facts.at("creator").empty() ? "#agent" : "#creator")},
       {"hasPart", parts},
       {"mentions", id("#campaign")}});
  for (const BundleFile& file : files) {
    graph.push_back(file_entity(file));
    if (file.path == bundled_archive_name) graph.back()["license"] = id(licence_id(facts));
  }
  graph.push_back(campaign(facts, files));
  add_context(facts, files, graph);
  // `sha256` came into schema.org after RO-Crate 1.1 had taken its terms from there.
  Json context = Json::array({std::string(specification) + "/context", Json{{"sha256", "https://schema.org/sha256"}}});
  const Json crate = {{"@context", context}, {"@graph", graph}};
  return crate.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace palstudy
