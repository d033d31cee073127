// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "archive/reader.hpp"

namespace palstudy {

/// The origin of the archive in a bundle, for its descriptions.
struct BundleFacts {
  explicit BundleFacts(const std::filesystem::path& file);
  ArchiveReader archive;
  std::int64_t runs = 0, failed = 0;
  std::vector<std::string> axes;
  double core_hours = 0;
  std::int64_t starts = 0, nodes = 0, ranks = 0;  ///< of the program; the most nodes and ranks that it had
  std::string agent;                              ///< the login name of the archive's owner
  std::string bundled_utc;
  bool anonymous = false;
  /// An attribute of the root; "" where there is none.
  [[nodiscard]] std::string at(const std::string& name) const { return archive.attribute(name); }
};

/// A file of the bundle, for lists of them.
struct BundleFile {
  std::string path;  ///< relative to the bundle
  std::string what;  ///< a sentence
  std::string encoding, sha256;
  std::uintmax_t bytes = 0;
  std::string licence = {};  ///< an SPDX expression; "NONE" of facts and of texts of licences; "" where it is not known
  std::string source = {};   ///< URL; "" where nothing is known
};

/// Fills in what follows from the file itself.
[[nodiscard]] BundleFile bundle_file(const std::filesystem::path& bundle, const std::string& path,
                                     const std::string& what);

/// RO-Crate 1.1 (https://w3id.org/ro/crate/1.1): JSON-LD, one entity a file, and the campaign as CreateAction.
[[nodiscard]] std::string ro_crate(const BundleFacts& facts, const std::vector<BundleFile>& files);
inline constexpr const char* crate_name = "ro-crate-metadata.json";

/// The artifact description of a paper (as SC requires it), as Markdown.
[[nodiscard]] std::string artifact_description(const BundleFacts& facts, const std::vector<BundleFile>& files);

}  // namespace palstudy
