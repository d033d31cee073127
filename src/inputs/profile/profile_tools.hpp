// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "archive/provenance.hpp"
#include "variability/profile/profile_merge.hpp"

namespace palstudy {

/// What a profile file says of how it came to be: the command, the host, the time, the SHA-256 of its inputs.
[[nodiscard]] Provenance profile_provenance(const std::string& command_line,
                                            const std::vector<std::filesystem::path>& inputs,
                                            const std::vector<WordedNote>& notes);

/// The profiles of these files as one (merge_profiles). Errors: as read_profile, merge_profiles.
[[nodiscard]] MergedProfile merge_profile_files(const std::vector<std::filesystem::path>& files);

struct Imported {
  MergedProfile merged;
  std::vector<std::filesystem::path> read;  ///< all files
};
/// What other programs measured as one profile: CSVs with a row a GPU beside `runs/` (import_measurements), a session
/// each, named by the SHA-256 of both files; outputs of `ncu --csv` (import_ncu). Errors (data): as those; two files
/// that name one application or session and say other things.
[[nodiscard]] Imported import_files(const std::vector<std::filesystem::path>& files);

}  // namespace palstudy
