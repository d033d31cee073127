// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace palstudy {

/// Checks schema, checksums, digests, metrics against rows. Empty if all holds, else one finding a line; a file that is
/// damaged so far that it cannot be opened is a finding too. Errors (data): NotAnArchive.
[[nodiscard]] std::vector<std::string> verify_archive(const std::filesystem::path& path);

}  // namespace palstudy
