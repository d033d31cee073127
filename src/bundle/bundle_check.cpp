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

/// Says once what both the manifest and the crate know of a file.
void add(Found& found, const std::string& what, const fs::path& where) {
  const ErrorParts one = {what, where.string(), copy_bundle_again};
  if (std::ranges::find(found, one) == found.end()) found.push_back(one);
}

/// A file of a bundle that is missing, or is not the one that had this SHA-256.
void check_file(const fs::path& folder, const std::string& file, const std::string& sha256, Found& found) {
  const fs::path path = folder / file;
  std::error_code none;
  if (!stays_below(file) || !fs::is_regular_file(path, none)) return add(found, "is missing from the bundle", path);
  const std::string sum = sha256_file(path);
  if (sum != sha256)
    add(found, fmt::format("is not what was bundled: its SHA-256 was {} and is {}", sha256, sum), path);
}

/// The inputs of the user; the program reads its own.
void check_inputs(const fs::path& folder, const BundleManifest& manifest, Found& found) {
  for (const auto& input : manifest.inputs) {
    if (!input.own) check_file(folder, input.file, input.sha256, found);
  }
}

void check_digest(const fs::path& folder, const BundleManifest& manifest, Found& found) {
  const std::string digest = ArchiveReader(folder / bundled_archive_name).digest();
  if (digest == manifest.digest) return;
  add(found, fmt::format("names the digest {}, the archive beside it has {}", manifest.digest, digest),
      folder / bundle_manifest_name);
}

void refuse_first(const Found& found, ErrorCode code) {
  if (found.empty()) return;
  const auto& [what, where, advice] = found.front();
  throw Error(code, what, where, advice);
}

}  // namespace

void check_bundle(const fs::path& study) {
  const fs::path file = study_file_of_bundle(study), folder = file.parent_path();
  const auto manifest = bundle_beside(file);
  if (!manifest) return;
  Found inputs, digest;
  check_inputs(folder, *manifest, inputs);
  refuse_first(inputs, ErrorCode::data);
  const fs::path archive = folder / bundled_archive_name;
  if (std::error_code none; !fs::exists(archive, none)) return;
  require_sound(archive, copy_bundle_again);
  check_digest(folder, *manifest, digest);
  refuse_first(digest, ErrorCode::verification);
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

const NoteKind extra_file("extra-file", Severity::info);

/// The archive itself, and what of the manifest and of the study follows from it.
void verify_archive_of_bundle(const fs::path& folder, const BundleManifest& manifest, Verification& made) {
  const fs::path path = folder / bundled_archive_name, study = folder / "study.toml";
  const Verification said = verify_file(path);
  for (ErrorParts one : said.findings) {
    if (!one.where.starts_with(path.string())) one.where = path.string() + ":" + one.where;
    made.findings.push_back(one);
  }
  made.notes = said.notes;
  made.digest = said.digest;
  if (!said.findings.empty()) return;
  check_digest(folder, manifest, made.findings);
  const ArchiveReader archive(path);
  const auto lines = split(archive.attribute("input_sha256"));
  std::set<std::string> archived(lines.begin(), lines.end()), bundled;
  for (const auto& input : manifest.inputs) bundled.insert(input.sha256 + "  " + input.written);
  if (archived != bundled) add(made.findings, "lists other inputs than the archive", folder / bundle_manifest_name);
  for (const auto& one : ids_against_study(archive, read_study(study), {}, study.string()))
    made.findings.push_back(one);
}

/// Holds a licence in the crate against the table that lies in the bundle.
void check_licence(const fs::path& folder, const std::string& file, const nlohmann::json& named, Found& found) {
  const std::string inside = file.substr(std::string("data/").size());
  if (inside.starts_with("LICENSE")) return;
  const auto licences = licences_of(source_in_table(read_text_file(folder / "data" / licence_table), inside).licence);
  std::set<std::string> expected, said;
  for (const auto& licence : licences) expected.insert(spdx_licences + licence);
  for (const auto& one : named.is_array() ? named : nlohmann::json::array({named})) {
    if (one.is_object()) said.insert(one.at("@id"));
  }
  if (said == expected) return;
  add(found, fmt::format("{} names other licences than data/{}: {}", crate_name, licence_table, join(licences)), file);
}

void verify_crate(const fs::path& folder, Verification& made) {
  const auto crate = nlohmann::json::parse(read_text_file(folder / crate_name), nullptr, false);
  std::set<std::string> listed = {crate_name};
  try {
    for (const auto& entity : crate.at("@graph")) {
      if (entity.at("@type") != "File") continue;
      const std::string file = entity.at("name");
      listed.insert(file);
      check_file(folder, file, entity.at("sha256"), made.findings);
      if (!file.starts_with("data/")) continue;
      check_licence(folder, file, entity.value("license", nlohmann::json()), made.findings);
    }
  } catch (const nlohmann::json::exception&) {
    add(made.findings, "is damaged: it does not list the files of a bundle", folder / crate_name);
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string file = entry.path().lexically_relative(folder).string();
    if (!entry.is_directory() && !listed.contains(file)) made.notes.push_back(extra_file({{"file", file}}, file));
  }
}

}  // namespace

Verification verify_bundle(const fs::path& folder) {
  Verification made{"bundle", {"archive", "study", "inputs", "licences", "list of files"}, {}, {}, ""};
  std::optional<BundleManifest> manifest;
  if (!attempt(made.findings, [&] { manifest = bundle_beside(study_file_of_bundle(folder)); })) return made;
  try {
    attempt(made.findings, [&] { verify_archive_of_bundle(folder, *manifest, made); });
  } catch (const NotAnArchive& error) {
    made.findings.push_back(error.parts());
  }
  check_inputs(folder, *manifest, made.findings);
  attempt(made.findings, [&] { verify_crate(folder, made); });
  return made;
}

}  // namespace palstudy
