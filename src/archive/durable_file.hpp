// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace palstudy {

/// Puts a whole file in its place or none: writes `path.part` beside it, fsyncs, renames, fsyncs the directory.
/// Errors (data): a full disk, an unwritable directory; `path.part` is removed and what was at `path` stays.
void write_durably(const std::filesystem::path& path, std::span<const std::byte> bytes);
/// The same, of pieces that follow each other.
void write_durably(const std::filesystem::path& path, std::span<const std::span<const std::byte>> pieces);

}  // namespace palstudy
