// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace palstudy {

/// Errors (usage): `path` is a folder or a device, whether forced or not; it is there and not `force`.
void require_new_output(const std::filesystem::path& path, bool force);

}  // namespace palstudy
