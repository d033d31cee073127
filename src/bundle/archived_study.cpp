// SPDX-License-Identifier: MIT
#include "bundle/archived_study.hpp"

#include <string>

#include "bundle/bundle_inputs.hpp"
#include "bundle/verification.hpp"
#include "core/error.hpp"
#include "study/bundle_manifest.hpp"

namespace palstudy {

std::filesystem::path archive_of(const std::filesystem::path& archive_or_bundle) {
  const bool is_bundle = study_file_of_bundle(archive_or_bundle) != archive_or_bundle;
  return is_bundle ? archive_or_bundle / bundled_archive_name : archive_or_bundle;
}

Study archived_study(const ArchiveReader& archive, const std::filesystem::path& path) {
  const std::string where = path.string() + ":/study/resolved";
  Study study = parse_study(archive.resolved_study(), where);
  const auto other = ids_against_study(archive, study, archive.renamed_ids(), where);
  if (other.empty()) return study;
  throw data_error("its study does not give the runs that it has: " + std::string(other.front()), path.string());
}

void bind_inputs(Study& study, const ArchiveReader& archive, const std::filesystem::path& path) {
  for (const BundledInput& input : find_inputs(archive, study, path)) {
    if (!input.own) study.bundled.files[input.written] = std::filesystem::absolute(input.source);
  }
}

}  // namespace palstudy
