// SPDX-License-Identifier: MIT
#include "bundle/bundle_check.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "archive/diff.hpp"
#include "archive/file_checks.hpp"
#include "archive/reader.hpp"
#include "bundle/bundle_metadata.hpp"
#include "bundle/data_source.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "study/bundle_manifest.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

/// What is wrong with a file of a bundle, which had this SHA-256; "" if nothing is.
std::string change_of(const fs::path& folder, const std::string& file, const std::string& sha256) {
  const fs::path path = folder / file;
  std::error_code none;
  if (!stays_below(file) || !fs::is_regular_file(path, none)) return path.string() + ": is missing from the bundle";
  const std::string sum = sha256_file(path);
  return sum == sha256
             ? ""
             : fmt::format("{}: is not what was bundled: its SHA-256 was {} and is {}", path.string(), sha256, sum);
}

/// The inputs of the user that are not those of the manifest, a fact each.
std::vector<std::string> changes_of_inputs(const fs::path& folder, const BundleManifest& manifest) {
  std::vector<std::string> changes;
  for (const auto& input : manifest.inputs) {
    if (!input.own) changes.push_back(change_of(folder, input.file, input.sha256));  // the program reads its own
  }
  std::erase(changes, "");
  return changes;
}

std::string change_of_digest(const fs::path& archive, const BundleManifest& manifest) {
  const std::string digest = ArchiveReader(archive).digest();
  if (digest == manifest.digest) return "";
  return fmt::format("names the digest {}, the archive beside it has {}", manifest.digest, digest);
}

}  // namespace

void check_bundle(const fs::path& study) {
  const fs::path file = study_file_of_bundle(study), folder = file.parent_path();
  const auto manifest = bundle_beside(file);
  if (!manifest) return;
  if (const auto changes = changes_of_inputs(folder, *manifest); !changes.empty()) {
    throw data_error(changes.front(), "", copy_bundle_again);
  }
  const fs::path archive = folder / bundled_archive_name;
  if (std::error_code none; !fs::exists(archive, none)) return;
  require_sound(archive, copy_bundle_again);
  if (const auto change = change_of_digest(archive, *manifest); !change.empty()) {
    throw Error(ErrorCode::verification, change, (folder / bundle_manifest_name).string(), copy_bundle_again);
  }
}

void compare_with_bundle(const fs::path& study, const fs::path& result) {
  const fs::path file = study_file_of_bundle(study), archive = file.parent_path() / bundled_archive_name;
  const auto manifest = bundle_beside(file);
  if (!manifest) return;
  const std::string digest = ArchiveReader(result).digest();
  if (digest == manifest->digest) return;
  const std::string said = fmt::format("the digest is {}, that of the bundle {}", digest, manifest->digest);
  if (std::error_code none;
      fs::exists(archive, none) && diff_archives(archive, result).agreement != Agreement::different) {
    return spdlog::warn("{}: {}; palstudy diff says how far they agree", result.string(), said);
  }
  throw Error(ErrorCode::verification, said, result.string(),
              "the bundle was not repeated; palstudy diff says how far the two archives agree");
}

namespace {

/// Says once what both the manifest and the crate know of a file.
void add_change(Findings& findings, const std::string& change) {
  const std::string finding = fmt::format("{}. Please {}.", change, copy_bundle_again);
  if (!change.empty() && std::ranges::find(findings, finding) == findings.end()) findings.push_back(finding);
}

/// The archive itself, and what of the manifest and of the study follows from it.
void verify_archive_of_bundle(const fs::path& folder, const BundleManifest& manifest, Verification& made) {
  const fs::path path = folder / bundled_archive_name, study = folder / "study.toml";
  const std::string name = (folder / bundle_manifest_name).string();
  const Verification said = verify_file(path);
  for (const auto& finding : said.findings) made.findings.push_back(fmt::format("{}: {}", path.string(), finding));
  made.notes = said.notes;
  if (!said.findings.empty()) return;
  if (const auto change = change_of_digest(path, manifest); !change.empty()) {
    add_change(made.findings, fmt::format("{}: {}", name, change));
  }
  const ArchiveReader archive(path);
  const auto lines = split(archive.attribute("input_sha256"));
  std::set<std::string> archived(lines.begin(), lines.end()), bundled;
  for (const auto& input : manifest.inputs) bundled.insert(input.sha256 + "  " + input.written);
  if (archived != bundled) add_change(made.findings, name + ": lists other inputs than the archive");
  for (const auto& one : ids_against_study(archive, read_study(study), {}, study.string()))
    made.findings.push_back(one);
}

/// Holds a licence in the crate against the table that lies in the bundle.
std::string change_of_licence(const fs::path& folder, const std::string& file, const nlohmann::json& named) {
  const std::string inside = file.substr(std::string("data/").size());
  if (inside.starts_with("LICENSE")) return "";
  const auto licences = licences_of(source_in_table(read_text_file(folder / "data" / licence_table), inside).licence);
  std::set<std::string> expected, said;
  for (const auto& licence : licences) expected.insert(spdx_licences + licence);
  for (const auto& one : named.is_array() ? named : nlohmann::json::array({named})) {
    if (one.is_object()) said.insert(one.at("@id"));
  }
  if (said == expected) return "";
  return fmt::format("{}: {} names other licences than data/{}: {}", file, crate_name, licence_table, join(licences));
}

void verify_crate(const fs::path& folder, Verification& made) {
  const auto crate = nlohmann::json::parse(read_text_file(folder / crate_name), nullptr, false);
  std::set<std::string> listed = {crate_name};
  try {
    for (const auto& entity : crate.at("@graph")) {
      if (entity.at("@type") != "File") continue;
      const std::string file = entity.at("name");
      listed.insert(file);
      add_change(made.findings, change_of(folder, file, entity.at("sha256")));
      if (!file.starts_with("data/")) continue;
      add_change(made.findings, change_of_licence(folder, file, entity.value("license", nlohmann::json())));
    }
  } catch (const nlohmann::json::exception&) {
    const std::string path = (folder / crate_name).string();
    add_change(made.findings, path + ": is damaged: it does not list the files of a bundle");
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string file = entry.path().lexically_relative(folder).string();
    if (!entry.is_directory() && !listed.contains(file)) made.notes.push_back(file + " is not of the bundle");
  }
}

}  // namespace

Verification verify_bundle(const fs::path& folder) {
  Verification made{"bundle", "archive, study, inputs, licences and list of files", {}, {}};
  std::optional<BundleManifest> manifest;
  if (!attempt(made.findings, [&] { manifest = bundle_beside(study_file_of_bundle(folder)); })) return made;
  try {
    attempt(made.findings, [&] { verify_archive_of_bundle(folder, *manifest, made); });
  } catch (const NotAnArchive& error) {
    made.findings.emplace_back(error.what());
  }
  for (const auto& change : changes_of_inputs(folder, *manifest)) add_change(made.findings, change);
  attempt(made.findings, [&] { verify_crate(folder, made); });
  return made;
}

}  // namespace palstudy
