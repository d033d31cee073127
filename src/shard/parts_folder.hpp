// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "shard/frame_format.hpp"

namespace palstudy {

/// Errors (usage): what lies at the place of `FILE.h5.parts/` is a file, or a link to nothing.
void require_folder(const std::filesystem::path& parts);

/// What lies in the folder and ends so, in the order of the names. Pipes and the like are left out: whoever opens one
/// waits for its other end. `error`: why the folder cannot be listed.
[[nodiscard]] std::vector<std::filesystem::path> files_ending(const std::filesystem::path& parts,
                                                              const std::string& ending, std::error_code& error);

/// Whether this is a shard of such frames, or what a kill left of the beginning of one: no link, no folder, and no file
/// of somebody else that has its name.
[[nodiscard]] bool is_shard_of(const FrameKind& kind, const std::filesystem::directory_entry& entry);

/// Whether this is a file, no link, of one of these names, or one that was being written to get the name. A name that
/// begins with '*' stands for all that end so.
[[nodiscard]] bool is_file_named(const std::filesystem::directory_entry& entry, std::span<const std::string> names);

/// Removes an entry of `FILE.h5.parts/` if it is one that the caller makes.
using RemoveOwn = std::function<void(const std::filesystem::directory_entry& entry)>;
/// Hands all that lies in the folder, but for the locks, to `remove`. Returns a line for the log that names what is
/// still there, "" if nothing is.
[[nodiscard]] std::string clear_parts(const std::filesystem::path& parts, const RemoveOwn& remove);

}  // namespace palstudy
