// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "archive/reader.hpp"
#include "study/study.hpp"

namespace palstudy {

/// An input of an archived study.
struct BundledInput {
  std::string written, sha256;   ///< as the archive has them
  std::filesystem::path source;  ///< where it lies now
  bool own = false;              ///< data that comes with the program
  bool on_axis = false;          ///< the value of an axis, so that the digest covers how it is written
  std::string file;              ///< relative to the bundle
};

/// Every input that the archive names, each with the very content that the archive was made from.
/// Errors (data): one is nowhere, or has changed since.
[[nodiscard]] std::vector<BundledInput> find_inputs(const ArchiveReader& archive, const Study& study,
                                                    const std::filesystem::path& archive_path);

}  // namespace palstudy
