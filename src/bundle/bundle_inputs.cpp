// SPDX-License-Identifier: MIT
#include "bundle/bundle_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "study/bundle_manifest.hpp"
#include "study/data_dir.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

/// What the study gives to a run for the keys that may name a file: what of the inputs is the user's. Not from the
/// texts of the keys, since a resolved study has the program's own data there as well.
std::set<std::string> paths_in(const Study& study) {
  std::set<std::string> paths;
  for (const std::string& name : path_keys()) {
    const Key& key = *find_key(name);
    for (const RunPlan& run : study.runs) paths.insert(key.read(run));
  }
  return paths;
}

/// Where the paths of the study may begin: the SHA-256 of its inputs confirms the choice.
std::vector<fs::path> folders(const ArchiveReader& archive, const fs::path& archive_path) {
  std::vector<fs::path> all = {fs::absolute(archive_path).parent_path(), fs::current_path(),
                               data_dir() / "experiments"};
  if (const std::string told = archive.attribute("study.folder"); !told.empty()) all.emplace(all.begin(), told);
  return all;
}

/// The files that may be the input.
std::vector<fs::path> places_of(const BundledInput& input, const std::vector<fs::path>& folders) {
  std::vector<fs::path> places;
  if (input.own) places.push_back(data_dir() / input.written);
  for (const fs::path& folder : input.own ? std::vector<fs::path>() : folders) {
    places.push_back((folder / input.written).lexically_normal());
    const auto bundle = bundle_beside(folder / "study.toml");  // an archive that was made from a bundle
    if (!bundle) continue;
    for (const auto& other : bundle->inputs) {
      if (other.written == input.written) places.push_back(folder / other.file);
    }
  }
  std::error_code none;
  std::erase_if(places, [&](const fs::path& place) { return !fs::is_regular_file(place, none); });
  return places;
}

fs::path find(const BundledInput& input, const std::vector<fs::path>& folders) {
  const auto places = places_of(input, folders);
  for (const fs::path& place : places) {
    if (sha256_file(place) == input.sha256) return place;
  }
  if (places.empty()) {
    throw data_error(fmt::format("an input of the study is not there any more (its SHA-256 was {})", input.sha256),
                     input.written, "put it where the study had it, or call from the folder of the study file");
  }
  throw data_error(fmt::format("has changed since the archive was written: its SHA-256 was {} and is {}", input.sha256,
                               sha256_file(places.front())),
                   places.front().string(), "restore the file as it was, or run the study again");
}

}  // namespace

std::vector<BundledInput> find_inputs(const ArchiveReader& archive, const Study& study, const fs::path& archive_path) {
  const auto given = paths_in(study);
  const auto begins = folders(archive, archive_path);
  std::vector<BundledInput> inputs;
  constexpr std::size_t digits = 64;
  for (const std::string& line : split(archive.attribute("input_sha256"))) {
    if (line.size() < digits + 3) throw data_error("is damaged", archive_path.string() + ":/ (attribute input_sha256)");
    BundledInput input;
    input.sha256 = line.substr(0, digits);
    input.written = line.substr(digits + 2);
    input.own = !given.contains(input.written);
    if (input.own && !stays_below(input.written)) {
      throw data_error(
          fmt::format("names \"{}\", which is neither a path of the study nor data of the program", input.written),
          archive_path.string() + ":/ (attribute input_sha256)", "restore the archive from a copy");
    }
    input.source = find(input, begins);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::set<std::pair<std::string, std::string>> paths_on_axes(const Study& study) {
  std::set<std::pair<std::string, std::string>> paths;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
    const std::string& key = study.axes[axis].key;
    if (const auto& keys = path_keys(); std::ranges::find(keys, key) == keys.end()) continue;
    for (const RunPlan& run : study.runs) paths.emplace(key, std::get<std::string>(run.values.at(axis)));
  }
  return paths;
}

}  // namespace palstudy
