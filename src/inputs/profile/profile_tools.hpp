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

}  // namespace palstudy
