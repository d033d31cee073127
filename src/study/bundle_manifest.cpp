// SPDX-License-Identifier: MIT
#include "study/bundle_manifest.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/file_bytes.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {
namespace {

constexpr const char* format = "palstudy-bundle-1";
constexpr const char* format_family = "palstudy-bundle-";

void move_path(TomlValue& value, const std::map<std::string, std::string>& moved) {
  if (value.kind != TomlValue::Kind::text) return;
  if (const auto found = moved.find(value.text); found != moved.end()) value.text = found->second;
}

/// Opening a pipe could block for ever.
void refuse_special_file(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none) || std::filesystem::is_regular_file(path, none)) return;
  throw data_error("is no file", path.string(), copy_bundle_again);
}

/// Checks both the text of the paths and the targets of links.
void refuse_files_outside(const BundleManifest& manifest, const std::filesystem::path& file) {
  const auto folder = std::filesystem::weakly_canonical(file.parent_path());
  for (const auto& input : manifest.inputs) {
    std::error_code failed;
    const auto target = std::filesystem::weakly_canonical(folder / input.file, failed);
    if (failed || !stays_below(input.file) || !stays_below(target.lexically_relative(folder))) {
      throw data_error(fmt::format("names \"{}\", which lies outside the bundle", input.file), file.string(),
                       copy_bundle_again);
    }
    refuse_special_file(target);
  }
}

void refuse_other_version(const nlohmann::json& json, const std::filesystem::path& file) {
  if (!json.is_object() || !json.contains("format") || !json.at("format").is_string()) return;
  const std::string version = json.at("format");
  if (version == format || !version.starts_with(format_family)) return;
  throw data_error(fmt::format("has the format \"{}\", which this program does not know", version), file.string(),
                   "run it with the version of palstudy that made the bundle");
}

}  // namespace

bool stays_below(const std::filesystem::path& path) {
  if (path.empty() || path.is_absolute() || !path.has_filename()) return false;
  return std::ranges::none_of(path, [](const auto& part) { return part == ".." || part == "."; });
}

const std::vector<std::string>& path_keys() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Key& key : fixed_keys()) {
      if (key.names_file) all.push_back(key.name);
    }
    return all;
  }();
  return names;
}

std::string manifest_json(const BundleManifest& manifest) {
  nlohmann::ordered_json json;
  json["format"] = format;
  json["digest"] = manifest.digest;
  json["anonymous"] = manifest.anonymous;
  json["inputs"] = nlohmann::ordered_json::array();
  for (const auto& input : manifest.inputs) {
    json["inputs"].push_back(
        {{"written", input.written}, {"file", input.file}, {"sha256", input.sha256}, {"own", input.own}});
  }
  if (!manifest.ids.empty()) json["ids"] = manifest.ids;
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::optional<BundleManifest> bundle_beside(const std::filesystem::path& study_file) {
  const auto path = study_file.parent_path() / bundle_manifest_name;
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return std::nullopt;
  std::ifstream file(where_read(path), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded() && text.find(format_family) != std::string::npos) {
    throw data_error("is damaged (it ends too early, or is no JSON)", path.string(), copy_bundle_again);
  }
  refuse_other_version(json, path);
  BundleManifest manifest;
  try {
    if (!json.is_object() || json.value("format", nlohmann::json()) != nlohmann::json(format))
      return std::nullopt;  // another program's
    manifest.digest = json.at("digest");
    manifest.anonymous = json.at("anonymous");
    for (const auto& input : json.at("inputs")) {
      manifest.inputs.push_back({input.at("written"), input.at("file"), input.at("sha256"), input.at("own")});
    }
    if (json.contains("ids")) manifest.ids = json.at("ids").get<std::map<std::string, std::string>>();
  } catch (const nlohmann::json::exception& error) {
    throw data_error(fmt::format("is damaged ({})", error.what()), path.string(), copy_bundle_again);
  }
  refuse_files_outside(manifest, path);
  return manifest;
}

std::filesystem::path study_file_of_bundle(const std::filesystem::path& given) {
  std::error_code none;
  const bool bundle =
      std::filesystem::is_directory(given, none) && std::filesystem::exists(given / bundle_manifest_name, none);
  if (!bundle) return given;
  if (!bundle_beside(given / "study.toml")) {
    throw data_error("is not the list of inputs of a bundle", (given / bundle_manifest_name).string(),
                     copy_bundle_again);
  }
  refuse_special_file(given / "study.toml");
  return given / "study.toml";
}

void move_paths(KeyValues& values, const std::map<std::string, std::string>& moved) {
  for (const std::string& key : path_keys()) {
    if (const auto value = values.find(key); value != values.end()) move_path(value->second, moved);
  }
}

void move_paths(ParsedStudy& parsed, const std::map<std::string, std::string>& moved) {
  move_paths(parsed.base, moved);
  for (const std::string& key : path_keys()) {
    const auto axis = parsed.axes.find(key);
    if (axis == parsed.axes.end()) continue;
    for (TomlValue& value : axis->second.written) move_path(value, moved);
    for (TomlValue& value : axis->second.values) move_path(value, moved);
  }
}

void write_as_before(ParsedStudy& parsed, const BundleManifest& manifest) {
  std::map<std::string, std::string> written;
  for (const auto& input : manifest.inputs) {
    if (!input.own) written.emplace(input.file, input.written);
  }
  move_paths(parsed, written);
}

void adopt_bundle(Study& study, const BundleManifest& manifest) {
  for (const auto& input : manifest.inputs) {
    if (!input.own) study.bundled.files[input.written] = study.file.parent_path() / input.file;
    study.bundled.sha256[input.written] = input.sha256;
  }
  for (RunPlan& run : study.runs) {
    const auto id = manifest.ids.find(run.id);
    if (id == manifest.ids.end()) continue;
    study.bundled.renamed_ids[id->first] = id->second;
    run.id = id->second;
  }
}

void check_bundled_inputs(const Study& study, const std::map<std::string, std::string>& sha256) {
  for (const auto& [written, sum] : sha256) {
    const auto recorded = study.bundled.sha256.find(written);
    if (recorded == study.bundled.sha256.end() || recorded->second == sum) continue;
    if (study.bundled.files.contains(written)) {
      throw data_error(fmt::format("is not what was bundled: its SHA-256 was {} and is {}", recorded->second, sum),
                       study.resolve(written).string(), copy_bundle_again);
    }
    spdlog::warn(
        "{} of this program is not the one that the bundle was made with, so the digest may be another: the SHA-256 "
        "was {} and is {}",
        written, recorded->second, sum);
  }
}

}  // namespace palstudy
