// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "archive/file_checks.hpp"
#include "archive/reader.hpp"
#include "core/note.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What `palstudy verify` says of a file.
struct Verification {
  std::string kind;                  ///< "archive", "profile", "cluster" or "bundle"
  std::vector<std::string> checked;  ///< what was checked, by name
  Found findings;                    ///< what does not hold; empty if all holds
  std::vector<Note> notes;           ///< what was not checked
  std::string digest;                ///< of an archive or of that of a bundle; "" if something does not hold
};

/// Verifies an archive, a profile, a file of `palstudy cluster` or the folder of a bundle. Of an archive also that the
/// ids of its runs, which are hashes of their keys, follow from its resolved study. Errors: NotAnArchive.
[[nodiscard]] Verification verify_file(const std::filesystem::path& path);
/// Errors (verification, with this advice): something is wrong with a file. NotAnArchive.
void require_sound(const std::filesystem::path& path, const std::string& advice);

/// What is wrong with the ids of the runs of an archive, by a study that is said to be its own: the first alone, since
/// one key changes all. `where`: the study, for messages; `renamed`: ids by the study -> ids in the archive.
[[nodiscard]] Found ids_against_study(const ArchiveReader& archive, const Study& study,
                                      const std::map<std::string, std::string>& renamed, const std::string& where);

}  // namespace palstudy
