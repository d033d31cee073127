// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace palstudy {

/// Errors (usage): `path` is a folder or a device, whether forced or not; it is there and not `force`.
void require_new_output(const std::filesystem::path& path, bool force);

/// Makes the folder that `path` is to lie in. True if there was none, which is worth saying: its name may be a slip of
/// the pen. Errors: std::filesystem::filesystem_error.
bool make_folder_of(const std::filesystem::path& path);

}  // namespace palstudy
