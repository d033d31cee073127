// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "archive/pseudonyms.hpp"

namespace palstudy {

/// Tells `names` of every host, cabinet, GPU and serial number in fields of their own of an archive or a profile.
/// Errors (data): cannot be read.
void note_names(const std::filesystem::path& file, Pseudonyms& names);

/// Where an archive holds a name in a column that its digest covers, so that no copy can do without it: "/jobs/tenant
/// has ...", one sentence each. `path_axes`: the axes whose values are paths.
[[nodiscard]] std::vector<std::string> names_in_digest(const std::filesystem::path& archive,
                                                       const std::vector<std::string>& path_axes, Pseudonyms& names);

/// Attributes of the root that a copy has otherwise, and what it has in place of /study/resolved.
struct InsteadOf {
  std::map<std::string, std::string> attributes = {};
  std::map<std::string, std::vector<std::string>> lists = {};
  std::string resolved_study = {};
  std::map<std::string, std::string> renamed_ids = {};  ///< Provenance::renamed_ids of the copy
};

/// Writes a copy of an archive or a profile in which names are replaced wherever no digest of an archive covers them.
/// The digest of a profile, which covers them, is made anew. Nothing of what was replaced is left in any corner of it.
/// Errors (data): cannot be read or written.
void copy_anonymously(const std::filesystem::path& from, const std::filesystem::path& to, Pseudonyms& names,
                      const InsteadOf& instead = {});

}  // namespace palstudy
