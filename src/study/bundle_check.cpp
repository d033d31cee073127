// SPDX-License-Identifier: MIT
#include "study/bundle_check.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "archive/archive.hpp"
#include "core/error.hpp"
#include "study/bundle_manifest.hpp"

namespace palstudy {
namespace {

std::filesystem::path archive_of(const std::filesystem::path& study_file) {
  return study_file.parent_path() / bundled_archive_name;
}

}  // namespace

void check_bundled_archive(const std::filesystem::path& study) {
  const auto file = study_of_bundle(study);
  const auto bundle = bundle_beside(file);
  std::error_code none;
  if (!bundle || !std::filesystem::exists(archive_of(file), none)) return;
  const std::string digest = ArchiveReader(archive_of(file)).digest();
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
