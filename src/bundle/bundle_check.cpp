// SPDX-License-Identifier: MIT
#include "bundle/bundle_check.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "archive/archive.hpp"
#include "bundle/verification.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"

namespace palstudy {
namespace {

std::filesystem::path archive_of(const std::filesystem::path& study_file) {
  return study_file.parent_path() / bundled_archive_name;
}

}  // namespace

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

void check_bundle(const std::filesystem::path& study) {
  const auto file = study_of_bundle(study);
  const auto bundle = bundle_beside(file);
  if (!bundle) return;
  if (const auto changed = changed_inputs(file.parent_path(), *bundle); !changed.empty()) {
    throw data_error(changed.front(), "", copy_bundle_again);
  }
  const auto archive = archive_of(file);
  if (std::error_code none; !std::filesystem::exists(archive, none)) return;
  if (const auto findings = verify_file(archive).findings; !findings.empty()) {
    throw Error(ErrorCode::verification, findings.front(), archive.string(), copy_bundle_again);
  }
  const std::string digest = ArchiveReader(archive).digest();
  if (digest == bundle->digest) return;
  throw Error(ErrorCode::verification,
              fmt::format("names the digest {}, the archive beside it has {}", bundle->digest, digest),
              (file.parent_path() / bundle_manifest_name).string(), copy_bundle_again);
}

void compare_with_bundle(const std::filesystem::path& study, const std::filesystem::path& result) {
  const auto file = study_of_bundle(study);
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

}  // namespace palstudy
