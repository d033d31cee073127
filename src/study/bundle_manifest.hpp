// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/parsed_study.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What `palstudy bundle` writes beside the study, so that the study in the bundle names the files that lie there, and
/// its runs still have the ids and axis values, and with them the digest, of the campaign that was bundled.
inline constexpr const char* bundle_manifest_name = "bundle.json";
inline constexpr const char* bundled_archive_name = "archive.h5";
/// What to do about a bundle that is not as it was made.
inline constexpr const char* copy_bundle_again = "take the bundle from where it came from once more";

struct BundleManifest {
  struct Input {
    std::string written;  ///< as the study had it; the same as `file` where that was taken away
    std::string file;     ///< relative to the bundle
    std::string sha256;   ///< of that file
    bool own = false;     ///< data that comes with the program, which reads its own copy of it
  };
  std::string digest;  ///< of the archive
  bool anonymous = false;
  std::vector<Input> inputs;
  /// Runs whose id is another by the text in the bundle, such as by paths that were taken away -> their id in the
  /// archive.
  std::map<std::string, std::string> ids;
};

/// Keys whose value may be a path.
[[nodiscard]] const std::vector<std::string>& path_keys();

[[nodiscard]] std::string manifest_json(const BundleManifest& manifest);
/// Whether a relative path stays below the folder that it begins in, by its text alone.
[[nodiscard]] bool stays_below(const std::filesystem::path& path);
/// That of the bundle in which a study file lies; nothing if there is none. Errors (data): damaged; it names a file
/// outside the bundle.
[[nodiscard]] std::optional<BundleManifest> bundle_beside(const std::filesystem::path& study_file);
/// The study file in a folder that is a bundle; what was given otherwise.
[[nodiscard]] std::filesystem::path study_of_bundle(const std::filesystem::path& given);

/// Puts paths as they were written first in the place of those into the bundle.
void write_as_before(ParsedStudy& parsed, const BundleManifest& manifest);
/// Lets the study find its inputs in the bundle, and gives its runs the ids that they had.
void adopt_bundle(Study& study, const BundleManifest& manifest);

/// Errors (data): an input in the bundle is not the one that was bundled. Warns of data of the program that is another.
void check_bundled_inputs(const Study& study, const std::map<std::string, std::string>& sha256);

}  // namespace palstudy
