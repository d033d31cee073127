// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "bundle/bundle_facts.hpp"
#include "bundle/bundle_folder.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* specification = "https://w3id.org/ro/crate/1.1";

Json id(const std::string& name) { return {{"@id", name}}; }

constexpr const char* licence_to_choose = "#licence-to-choose";

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
          {"result", id("archive.h5")}};
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
  graph.push_back({{"@id", "#host"}, {"@type", "Place"}, {"name", facts.at("host")}});
  graph.push_back(
      {{"@id", licence_to_choose},
       {"@type", "CreativeWork"},
       {"name", "To be chosen"},
       {"description", "Whoever publishes this bundle chooses the licence of the results and of their own inputs."}});
  std::set<std::string> urls = {"https://spdx.org/licenses/MIT"};
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
       {"license", id(licence_to_choose)},
       {"identifier", facts.at("digest")},
       {"creator", id("#agent")},
       {"hasPart", parts},
       {"mentions", id("#campaign")}});
  for (const BundleFile& file : files) graph.push_back(file_entity(file));
  graph.push_back(campaign(facts, files));
  add_context(facts, files, graph);
  // `sha256` came into schema.org after RO-Crate 1.1 had taken its terms from there.
  Json context = Json::array({std::string(specification) + "/context", Json{{"sha256", "https://schema.org/sha256"}}});
  const Json crate = {{"@context", context}, {"@graph", graph}};
  return crate.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace palstudy
