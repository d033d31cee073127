// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace palstudy {

/// Copies of files in the memory of this process: what one rank has read, on all ranks. Readers of inputs open
/// `where_read(path)` and name `path` in messages.

/// From here on `path` is read from a copy with this content. Where the system has no memory for one (memfd_create),
/// the file itself is read.
void add_file_copy(const std::filesystem::path& path, const std::string& content);

/// The copy of a file, or the path itself without one.
[[nodiscard]] std::filesystem::path where_read(const std::filesystem::path& path);

/// The paths in a folder that have copies, sorted.
[[nodiscard]] std::vector<std::filesystem::path> copies_in(const std::filesystem::path& folder);

}  // namespace palstudy
