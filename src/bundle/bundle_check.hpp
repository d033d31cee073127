// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "bundle/verification.hpp"

namespace palstudy {

/// A bundle: its archive, its study, the lists of its inputs and files with their SHA-256, the licences of data.
[[nodiscard]] Verification verify_bundle(const std::filesystem::path& folder);

/// Checks a study in a bundle before it is run: its inputs are the bundled ones, and its archive, if present, is
/// undamaged and has the digest of the manifest. Must be called before MPI starts. Errors (data): another input, or
/// none; (verification): the archive.
void check_bundle(const std::filesystem::path& study);

/// Compares the digest of a complete run of a bundled study with that of the manifest. Warns where
/// only the digits differ, as between kinds of processors. Errors (verification): the results differ.
void compare_with_bundle(const std::filesystem::path& study, const std::filesystem::path& result);

}  // namespace palstudy
