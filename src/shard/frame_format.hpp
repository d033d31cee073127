// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace palstudy {

/// What kind of frames a shard holds: those of finished runs, or of measured repeats (hdf5-schemas/shard.md).
struct FrameKind {
  std::array<char, 8> magic;  ///< the last letter is the version of the format
  std::uint64_t schema;       ///< hash of the payload's layout; frames of another one are not read
};

/// One frame: magic, schema hash, id, length, XXH3-64, payload. Errors (fault): an id of more than 16 characters.
[[nodiscard]] std::vector<std::byte> pack_frame(const FrameKind& kind, const std::string& id,
                                                std::span<const std::byte> payload);

/// Errors (usage): the file begins as one of another version of the format, whose frames this program cannot read.
void require_version(const FrameKind& kind, const std::filesystem::path& path);

/// What the frames of a file were found to be.
struct FramesRead {
  std::string wrong;       ///< "" or what was wrong first, and where
  std::uint64_t size = 0;  ///< of the file
  std::uint64_t end = 0;   ///< of its last frame that holds: what is appended later lies behind it
};
/// Hands every frame of a file, from the byte `from` on, to `read` with the place of its payload in the file, one frame
/// in memory at a time or a piece of a few; one that does not hold is left out. `read` returns "" or what is wrong with
/// a payload. Returns nothing if the file has gone
/// since it was listed: another process has merged it. Errors (data): cannot be read.
using ReadPlacedPayload =
    std::function<std::string(const std::string& id, std::span<const std::byte> payload, std::uint64_t place)>;
[[nodiscard]] std::optional<FramesRead> read_frames(const FrameKind& kind, const std::filesystem::path& path,
                                                    const ReadPlacedPayload& read, std::uint64_t from = 0);

/// The shards of a folder, sorted; none if there is no such folder. Errors (data): it cannot be listed.
[[nodiscard]] std::vector<std::filesystem::path> shard_files(const std::filesystem::path& parts);

}  // namespace palstudy
