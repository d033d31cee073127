// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "parallel/mpi.hpp"
#include "shard/frame_format.hpp"

namespace palstudy {

/// Errors (usage): what lies at the place of `FILE.h5.parts/` is a file or a link. What a campaign removes there would
/// be removed where the link leads.
void require_folder(const std::filesystem::path& parts);

/// The files of the folder whose names end so, sorted. Pipes and the like are left out: opening one would block
/// until its other end is open. `error`: why the folder cannot be listed.
[[nodiscard]] std::vector<std::filesystem::path> files_ending(const std::filesystem::path& parts,
                                                              const std::string& ending, std::error_code& error);

/// Whether this is a shard of such frames, or the beginning of one that a kill left: no link, no folder, and no other
/// file of that name.
[[nodiscard]] bool is_shard_of(const FrameKind& kind, const std::filesystem::directory_entry& entry);

/// Whether this is a file, no link, of one of these names, or one that was being written to get the name. A name that
/// begins with '*' stands for all that end so.
[[nodiscard]] bool is_file_named(const std::filesystem::directory_entry& entry, std::span<const std::string> names);

/// Removes an entry of `FILE.h5.parts/` if it is one that the caller makes.
using RemoveOwn = std::function<void(const std::filesystem::directory_entry& entry)>;
/// Calls `remove` with each entry of the folder but the locks. Returns a line for the log that names what is left, ""
/// if nothing is.
[[nodiscard]] std::string clear_parts(const std::filesystem::path& parts, const RemoveOwn& remove);

/// The steps around an output that grows in a folder of shards, for a campaign and for a measurement.

/// Makes the folder of `output` and calls `open`, which takes the lock and writes the description. After an error it
/// calls `tidy`, which removes what `open` made, and throws. Errors: those of `open`; (data, naming the output): those
/// of the file system.
void open_output(const std::filesystem::path& output, const std::function<void()>& open,
                 const std::function<void()>& tidy);

/// Collective. Calls `work` on every rank; after an error it calls `tidy` on rank 0 and throws the error again. An
/// error has been agreed on, so that all ranks get here alike.
void work_or_tidy(const Mpi& mpi, const std::function<void()>& work, const std::function<void()>& tidy);

}  // namespace palstudy
