// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace palstudy {

/// Errors (usage): `path` is or names a folder, or is a device, whether forced or not; a file stands where a folder of
/// it would have to be; it is there and not `force`.
void require_new_output(const std::filesystem::path& path, bool force);

/// Errors (usage): what stands where a folder above `path` would have to be is none. `require_new_output` checks that
/// too.
void require_folders_above(const std::filesystem::path& path);

/// Makes the folder of `path`, with a message if it is new, because its name may be a typing error. To be
/// called when something will be written there, so that a refusal leaves no folder. Errors (data): it cannot be made.
void make_folder_of(const std::filesystem::path& path);

/// `FILE.h5.parts/`, in which the output FILE.h5 grows until it is written.
[[nodiscard]] std::filesystem::path parts_dir(const std::filesystem::path& output);

}  // namespace palstudy
