// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "archive/reader.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The archive of a bundle, by its folder; any other path as it is.
[[nodiscard]] std::filesystem::path archive_of(const std::filesystem::path& archive_or_bundle);

/// The study in an archive at `path`. Errors (data): it gives other runs than the archive has.
[[nodiscard]] Study archived_study(const ArchiveReader& archive, const std::filesystem::path& path);

/// Lets the study in an archive read its inputs where they lie now, each as it was when the archive was made. Errors
/// (data): one is nowhere, or has changed since.
void bind_inputs(Study& study, const ArchiveReader& archive, const std::filesystem::path& path);

}  // namespace palstudy
