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

/// What gzip has packed into `bytes`; `name` stands for the file in messages. Errors (data): as above.
[[nodiscard]] std::string unpack_gzip(const std::string& bytes, const std::string& name,
                                      std::size_t most = text_size_limit);

}  // namespace palstudy
