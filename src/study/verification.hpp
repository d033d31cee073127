// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace palstudy {

/// What `palstudy verify` says of a file.
struct Verification {
  std::string kind;                   ///< "archive", "profile" or "cluster"
  std::string checked;                ///< what was checked, in words
  std::vector<std::string> findings;  ///< what does not hold, a sentence each; empty if all holds
  std::vector<std::string> notes;     ///< what was not checked, a sentence each
};

/// Verifies an archive, a profile or a file of `palstudy cluster`. Of an archive also that the ids of its runs, which
/// are hashes of their keys, follow from its resolved study. Errors: NotAnArchive.
[[nodiscard]] Verification verify_file(const std::filesystem::path& path);

}  // namespace palstudy
