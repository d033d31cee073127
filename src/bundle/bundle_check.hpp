// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "study/bundle_manifest.hpp"

namespace palstudy {

/// What differs between the inputs in a bundle and their SHA-256 in its manifest, a sentence each.
[[nodiscard]] std::vector<std::string> changed_inputs(const std::filesystem::path& folder,
                                                      const BundleManifest& manifest);

/// Of a study in a bundle, before it is run: its inputs are those that were bundled, and its archive, where that still
/// lies there, is sound and has the digest that the manifest names. Not to be called by who has started MPI. Errors
/// (data): another input, or none; (verification): the archive.
void check_bundle(const std::filesystem::path& study);

/// Of a study in a bundle that was run whole: holds the digest of the result against that of the manifest. Warns where
/// only the digits differ, as between kinds of processors. Errors (verification): the results differ.
void compare_with_bundle(const std::filesystem::path& study, const std::filesystem::path& result);

}  // namespace palstudy
