// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "archive/reader.hpp"
#include "study/study.hpp"

namespace palstudy {

/// An input of an archived study.
struct BundledInput {
  std::string written, sha256;   ///< as the archive has them
  std::filesystem::path source;  ///< where it lies now
  bool own = false;              ///< data that comes with the program
};

/// Every input that the archive names, each with the very content that the archive was made from.
/// Errors (data): one is nowhere, or has changed since.
[[nodiscard]] std::vector<BundledInput> find_inputs(const ArchiveReader& archive, const Study& study,
                                                    const std::filesystem::path& archive_path);

/// The values of axes whose key may name a file, each with its key. The digest covers how they are written.
[[nodiscard]] std::set<std::pair<std::string, std::string>> paths_on_axes(const Study& study);

}  // namespace palstudy
