// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace palstudy {

struct BundleOptions {
  std::filesystem::path archive, directory;
  bool anonymous = false;
};

struct MadeBundle {
  std::size_t files = 0;
  std::vector<std::string> kept;  ///< what an anonymous bundle keeps as it is, a line each
};

/// Makes a folder that a reviewer can check and repeat a campaign from: the archive, the study, every input, RO-Crate
/// metadata and the text of an artifact description. It is made aside and renamed: all of it is there, or nothing.
/// Errors: usage (the folder exists; `anonymous` where the digest covers a name), data (an input is missing or has
/// changed, a full disk), verification (the archive is damaged).
MadeBundle make_bundle(const BundleOptions& options);

}  // namespace palstudy
