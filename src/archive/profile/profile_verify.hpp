// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace palstudy {

/// Checks schema, checksums, digest, summaries against batches. Empty if all holds, else one finding a line; a file
/// damaged so far that it cannot be read is a finding too. Errors (data): NotAnArchive.
[[nodiscard]] std::vector<std::string> verify_profile(const std::filesystem::path& path);
/// Refuses a profile in which `verify_profile` finds anything. Errors (data): the first finding, and how many there
/// are; NotAnArchive.
void require_intact_profile(const std::filesystem::path& profile);

}  // namespace palstudy
