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
#include "bundle/bundle_folder.hpp"
#include "bundle/verification.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"

namespace palstudy {

namespace {

std::filesystem::path archive_of(const std::filesystem::path& study_file) {
  return study_file.parent_path() / bundled_archive_name;
}

/// What differs between the inputs in a bundle and their SHA-256 in its manifest, a sentence each.
std::vector<std::string> changed_inputs(const std::filesystem::path& folder, const BundleManifest& manifest) {
  std::vector<std::string> findings;
  for (const auto& input : manifest.inputs) {
    if (input.own) continue;  // the program reads its own
    const auto path = folder / input.file;
    std::error_code none;
    const bool there = std::filesystem::is_regular_file(path, none);
    const std::string sum = there ? sha256_file(path) : "";
    if (sum == input.sha256) continue;
    findings.push_back(there ? fmt::format("{}: is not what was bundled: its SHA-256 was {} and is {}", path.string(),
                                           input.sha256, sum)
                             : fmt::format("{}: is missing from the bundle", path.string()));
  }
  return findings;
}

}  // namespace

void check_bundle(const std::filesystem::path& study) {
  const auto file = study_file_of_bundle(study);
  const auto bundle = bundle_beside(file);
  if (!bundle) return;
  if (const auto changed = changed_inputs(file.parent_path(), *bundle); !changed.empty()) {
    throw data_error(changed.front(), "", copy_bundle_again);
  }
  const auto archive = archive_of(file);
  if (std::error_code none; !std::filesystem::exists(archive, none)) return;
  if (const auto findings = verify_file(archive).findings; !findings.empty()) {
    throw Error(ErrorCode::verification, first_fact(findings, archive), archive.string(), copy_bundle_again);
  }
  const std::string digest = ArchiveReader(archive).digest();
  if (digest == bundle->digest) return;
  throw Error(ErrorCode::verification,
              fmt::format("names the digest {}, the archive beside it has {}", bundle->digest, digest),
              (file.parent_path() / bundle_manifest_name).string(), copy_bundle_again);
}

void compare_with_bundle(const std::filesystem::path& study, const std::filesystem::path& result) {
  const auto file = study_file_of_bundle(study);
  const auto bundle = bundle_beside(file);
  if (!bundle) return;
  const std::string digest = ArchiveReader(result).digest();
  if (digest == bundle->digest) return;
  std::error_code none;
  const std::string said = fmt::format("the digest is {}, that of the bundle {}", digest, bundle->digest);
  if (std::filesystem::exists(archive_of(file), none)) {
    const Difference difference = diff_archives(archive_of(file), result);
    if (difference.agreement != Agreement::different) {
      return spdlog::warn("{}: {}; palstudy diff says how far they agree", result.string(), said);
    }
  }
  throw Error(ErrorCode::verification, said, result.string(),
              "the bundle was not repeated; palstudy diff says how far the two archives agree");
}

namespace {

namespace fs = std::filesystem;

constexpr const char* crate_name = "ro-crate-metadata.json";

class BundleVerifier {
 public:
  explicit BundleVerifier(fs::path folder) : folder_(std::move(folder)) {}

  Verification result() {
    made_.kind = "bundle";
    made_.checked = "archive, study, inputs, licences and list of files";
    attempt(made_.findings, [&] { manifest_ = bundle_beside(study_file_of_bundle(folder_)).value(); });
    if (!made_.findings.empty()) return made_;
    attempt(made_.findings, [&] { check_archive(); });
    attempt(made_.findings, [&] { check_crate(); });
    for (const std::string& changed : changed_inputs(folder_, manifest_)) add(changed + ".");
    return made_;
  }

 private:
  /// Once, also of a file that both the manifest and the list of files name.
  void add(const std::string& fact) {
    const std::string finding = fmt::format("{} Please {}.", fact, copy_bundle_again);
    const auto& all = made_.findings;
    if (std::ranges::find(all, finding) == all.end()) made_.findings.push_back(finding);
  }

  void check_archive() {
    const fs::path path = folder_ / bundled_archive_name;
    try {
      const Verification archive = verify_file(path);
      for (const auto& finding : archive.findings)
        made_.findings.push_back(fmt::format("{}: {}", path.string(), finding));
      made_.notes = archive.notes;
      if (archive.findings.empty()) hold_against(ArchiveReader(path));
    } catch (const NotAnArchive& error) {
      made_.findings.emplace_back(error.what());
    }
  }

  void hold_against(const ArchiveReader& archive) {
    const std::string name = (folder_ / bundle_manifest_name).string();
    if (archive.digest() != manifest_.digest) {
      add(fmt::format("{}: names the digest {}, the archive has {}.", name, manifest_.digest, archive.digest()));
    }
    const auto lines = split(archive.attribute("input_sha256"));
    std::set<std::string> archived(lines.begin(), lines.end()), bundled;
    for (const auto& input : manifest_.inputs) bundled.insert(input.sha256 + "  " + input.written);
    if (archived != bundled) add(fmt::format("{}: lists other inputs than the archive.", name));
    const fs::path study = folder_ / "study.toml";
    for (const auto& finding : ids_against_study(archive, read_study(study), {}, study.string())) {
      made_.findings.push_back(finding);
    }
  }

  void check_crate() {
    const fs::path path = folder_ / crate_name;
    const auto crate = nlohmann::json::parse(read_text_file(path), nullptr, false);
    std::set<std::string> listed = {crate_name};
    try {
      for (const auto& entity : crate.at("@graph")) {
        if (entity.at("@type") != "File") continue;
        const std::string file = entity.at("name");
        listed.insert(file);
        check_listed(file, entity.at("sha256"));
        if (file.starts_with("data/")) check_licence(file, entity.value("license", nlohmann::json()));
      }
    } catch (const nlohmann::json::exception&) {
      add(fmt::format("{}: is damaged: it does not list the files of a bundle.", path.string()));
    }
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      const std::string file = entry.path().lexically_relative(folder_).string();
      if (!entry.is_directory() && !listed.contains(file)) made_.notes.push_back(file + " is not of the bundle");
    }
  }

  void check_listed(const std::string& file, const std::string& sum) {
    std::error_code none;
    const bool there = stays_below(file) && fs::is_regular_file(folder_ / file, none);
    if (!there) return add(fmt::format("{}: is missing from the bundle.", (folder_ / file).string()));
    if (sha256_file(folder_ / file) != sum)
      add(fmt::format("{}: is not what {} lists.", (folder_ / file).string(), crate_name));
  }

  /// Against the table that lies in the bundle.
  void check_licence(const std::string& file, const nlohmann::json& named) {
    const std::string inside = file.substr(std::string("data/").size());
    if (inside.starts_with("LICENSE")) return;
    const auto table = read_licence_table(folder_ / "data");
    const auto licences = licences_of(source_in_table(table, inside).licence);
    std::set<std::string> expected, said;
    for (const auto& licence : licences) expected.insert(spdx_licences + licence);
    for (const auto& one : named.is_array() ? named : nlohmann::json::array({named})) {
      if (one.is_object()) said.insert(one.at("@id"));
    }
    if (said != expected) {
      add(fmt::format("{}: {} names other licences than data/{}: {}.", file, crate_name, licence_table,
                      join(licences)));
    }
  }

  fs::path folder_;
  BundleManifest manifest_;
  Verification made_;
};

}  // namespace

Verification verify_bundle(const fs::path& folder) { return BundleVerifier(folder).result(); }

}  // namespace palstudy
