// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace palstudy {

/// The origin of an archive, for its descriptions.
struct BundleFacts {
  std::map<std::string, std::string> attributes;  ///< of the root; "" where there is none
  std::int64_t runs = 0, failed = 0;
  std::vector<std::string> axes;
  double core_hours = 0;
  std::int64_t starts = 0, nodes = 0, ranks = 0;  ///< of the program; the most nodes and ranks that it had
  std::string agent;                              ///< the login name of the archive's owner
  std::string bundled_utc;
  bool anonymous = false;
  [[nodiscard]] const std::string& at(const std::string& name) const;
};

/// A file of the bundle, for lists of them.
struct BundleFile {
  std::string path;  ///< relative to the bundle
  std::string what;  ///< a sentence
  std::string encoding, sha256;
  std::uintmax_t bytes = 0;
  std::string licence;  ///< an SPDX expression; "NONE" of facts and of texts of licences; "" where it is not known
  std::string source;   ///< URL; "" where nothing is known
};

/// The facts of the archive in the bundle.
[[nodiscard]] BundleFacts bundle_facts(const std::filesystem::path& archive);
/// Fills in what follows from the file itself.
[[nodiscard]] BundleFile bundle_file(const std::filesystem::path& bundle, const std::string& path,
                                     const std::string& what);

/// RO-Crate 1.1 (https://w3id.org/ro/crate/1.1): JSON-LD, one entity a file, and the campaign as CreateAction.
[[nodiscard]] std::string ro_crate(const BundleFacts& facts, const std::vector<BundleFile>& files);
/// The artifact description of a paper (as SC requires it), as Markdown.
[[nodiscard]] std::string artifact_description(const BundleFacts& facts, const std::vector<BundleFile>& files);

}  // namespace palstudy
