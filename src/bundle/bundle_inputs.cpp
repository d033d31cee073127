// SPDX-License-Identifier: MIT
#include "bundle/bundle_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "study/bundle_manifest.hpp"
#include "study/data_dir.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

/// What the study gives to a run for the keys that may name a file (`path_keys`): what of the inputs is the user's. Not
/// from the texts of the keys, since a resolved study has the program's own data there as well.
std::set<std::string> paths_in(const Study& study) {
  std::set<std::string> paths;
  for (const RunPlan& run : study.runs) {
    for (const std::string& path :
         {run.cluster.table, run.cluster.profile, run.cluster.classes, run.cluster.outages, run.network.profile,
          run.workload.trace, run.workload.models, run.tenants.quotas, run.failures.model, run.energy.watts}) {
      paths.insert(path);
    }
  }
  return paths;
}

std::set<std::string> paths_on_axes(const Study& study) {
  std::set<std::string> paths;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
    const auto& keys = path_keys();
    if (std::ranges::find(keys, study.axes[axis].key) == keys.end()) continue;
    for (const RunPlan& run : study.runs) paths.insert(std::get<std::string>(run.values.at(axis)));
  }
  return paths;
}

/// Where the paths of the study may have begun: where the archive says, else where a command line like its own would
/// have found the study, seen from here or from beside the archive. The SHA-256 confirms the choice.
std::vector<fs::path> folders(const ArchiveReader& archive, const fs::path& archive_path) {
  std::vector<fs::path> all;
  if (const std::string told = archive.attribute("study.folder"); !told.empty()) all.emplace_back(told);
  std::istringstream words(archive.attribute("command_line"));
  std::string word;
  const fs::path beside = fs::absolute(archive_path).parent_path();
  while (words >> word) {
    std::erase(word, '\'');
    const fs::path folder = fs::path(word).parent_path();
    if (!word.ends_with(".toml")) continue;
    for (const fs::path& from : {fs::current_path(), beside}) all.push_back(from / folder);
  }
  all.push_back(beside);
  all.push_back(fs::current_path());
  all.push_back(data_dir() / "experiments");
  return all;
}

std::vector<fs::path> places_of(const BundledInput& input, const std::vector<fs::path>& folders) {
  if (input.own) return {data_dir() / input.written};
  std::vector<fs::path> places;
  for (const fs::path& folder : folders) {
    places.push_back((folder / input.written).lexically_normal());
    const auto bundle = bundle_beside(folder / "study.toml");  // an archive that was made from a bundle
    if (!bundle) continue;
    for (const auto& other : bundle->inputs) {
      if (other.written == input.written) places.push_back(folder / other.file);
    }
  }
  return places;
}

void find(BundledInput& input, const std::vector<fs::path>& folders) {
  fs::path changed;
  std::string changed_to;
  for (const fs::path& place : places_of(input, folders)) {
    std::error_code none;
    if (!fs::is_regular_file(place, none)) continue;
    const std::string sum = sha256_file(place);
    if (sum == input.sha256) {
      input.source = place;
      return;
    }
    if (changed.empty()) {
      changed = place;
      changed_to = sum;
    }
  }
  if (changed.empty()) {
    throw data_error(fmt::format("an input of the study is not there any more (its SHA-256 was {})", input.sha256),
                     input.written, "put it where the study had it, or call from the folder of the study file");
  }
  throw data_error(
      fmt::format("has changed since the archive was written: its SHA-256 was {} and is {}", input.sha256, changed_to),
      changed.string(), "restore the file as it was, or run the study again");
}

}  // namespace

std::vector<BundledInput> find_inputs(const ArchiveReader& archive, const Study& study, const fs::path& archive_path) {
  const auto given = paths_in(study), on_axes = paths_on_axes(study);
  const auto begins = folders(archive, archive_path);
  std::vector<BundledInput> inputs;
  constexpr std::size_t digits = 64;
  for (const std::string& line : split(archive.attribute("input_sha256"))) {
    if (line.size() < digits + 3) throw data_error("is damaged", archive_path.string() + ":/ (attribute input_sha256)");
    BundledInput input;
    input.sha256 = line.substr(0, digits);
    input.written = line.substr(digits + 2);
    input.own = !given.contains(input.written);
    input.on_axis = on_axes.contains(input.written);
    if (input.own && !stays_below(input.written)) {
      throw data_error(
          fmt::format("names \"{}\", which is neither a path of the study nor data of the program", input.written),
          archive_path.string() + ":/ (attribute input_sha256)", "restore the archive from a copy");
    }
    find(input, begins);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

}  // namespace palstudy
