// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace palstudy {

/// The largest text that is read, unpacked, in bytes.
inline constexpr std::size_t text_size_limit = std::size_t{2} << 30;

/// A file of text, whole; one that gzip has packed (whatever it is called) is unpacked (RFC 1952, several members too).
/// Errors (data): cannot be read, larger than the limit, packed data that are damaged or end too early.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

/// The first `most` bytes of it, or all, without a byte order mark: enough to see of what format it is.
[[nodiscard]] std::string read_beginning(const std::filesystem::path& path, std::size_t most);

/// What gzip has packed into `bytes`; `name` stands for the file in messages. Errors (data): as above.
[[nodiscard]] std::string unpack_gzip(const std::string& bytes, const std::string& name,
                                      std::size_t most = text_size_limit);

/// Errors (usage): `path` is or names a folder, or is a device, whether forced or not; a file stands where a folder of
/// it would have to be; a link has the name under which it is written; it is there and not `force`.
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
