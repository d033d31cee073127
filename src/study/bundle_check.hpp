// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace palstudy {

/// Of a study in a bundle: holds the digest that its manifest names against that of its archive, where that still lies
/// there. Errors (verification): another one.
void check_bundled_archive(const std::filesystem::path& study);

/// Of a study in a bundle that was run whole: holds the digest of the result against that of the manifest. Warns where
/// only the digits differ, as between kinds of processors. Errors (verification): the results differ.
void compare_with_bundle(const std::filesystem::path& study, const std::filesystem::path& result);

}  // namespace palstudy
