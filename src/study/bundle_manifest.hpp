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

/// The file that `palstudy bundle` writes beside the study. With it the study in the bundle names the files there, and
/// its runs keep the ids and axis values, and so the digest, of the campaign that was bundled.
inline constexpr const char* bundle_manifest_name = "bundle.json";
inline constexpr const char* bundled_archive_name = "archive.h5";
/// The advice about a bundle that was changed.
inline constexpr const char* copy_bundle_again = "take the bundle from where it came from once more";

struct BundleManifest {
  struct Input {
    std::string written;  ///< as in the original study; the same as `file` where that was removed
    std::string file;     ///< relative to the bundle
    std::string sha256;   ///< of that file
    bool own = false;     ///< data that comes with the program, which reads its own copy
  };
  std::string digest;  ///< of the archive
  bool anonymous = false;
  std::vector<Input> inputs;
  /// The id in the archive of runs that have another id by the text in the bundle, such as after paths were removed.
  std::map<std::string, std::string> ids;
};

/// Keys whose value may be a path.
[[nodiscard]] const std::vector<std::string>& path_keys();

[[nodiscard]] std::string manifest_json(const BundleManifest& manifest);
/// Whether a relative path stays below the folder that it begins in, by its text alone.
[[nodiscard]] bool stays_below(const std::filesystem::path& path);
/// The manifest of the bundle in which a study file lies; nothing outside of bundles. Errors (data): damaged; it names
/// a file outside the bundle.
[[nodiscard]] std::optional<BundleManifest> bundle_beside(const std::filesystem::path& study_file);
/// The study file of a bundle, given its folder; other paths unchanged.
[[nodiscard]] std::filesystem::path study_file_of_bundle(const std::filesystem::path& given);

/// Replaces the values of these keys, on axes too, that are among `moved`.
void move_paths(KeyValues& values, const std::map<std::string, std::string>& moved);
void move_paths(ParsedStudy& parsed, const std::map<std::string, std::string>& moved);

/// Replaces paths into the bundle by the paths in the original study.
void write_as_before(ParsedStudy& parsed, const BundleManifest& manifest);
/// Makes the study read its inputs from the bundle, and gives its runs their original ids.
void adopt_bundle(Study& study, const BundleManifest& manifest);

/// Errors (data): an input in the bundle is not the one that was bundled. Warns about data of the program that differ.
void check_bundled_inputs(const Study& study, const std::map<std::string, std::string>& sha256);

}  // namespace palstudy
