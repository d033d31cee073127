// SPDX-License-Identifier: MIT
#include "shard/frame_format.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <tuple>

#include "core/error.hpp"
#include "core/file_bytes.hpp"
#include "shard/parts_folder.hpp"

namespace palstudy {
namespace {

/// Without padding, little-endian, as it lies in the file.
struct Header {
  std::array<char, 8> magic;
  std::uint64_t schema;
  std::array<char, 16> id;  // shorter ones end in NULs
  std::uint64_t length;     // of the payload
  std::uint64_t checksum;   // XXH3-64 of the header up to here and of the payload
};
static_assert(sizeof(Header) == 48);

std::uint64_t checksum(const Header& header, std::span<const std::byte> payload) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  XXH3_64bits_update(&state, &header, offsetof(Header, checksum));
  XXH3_64bits_update(&state, payload.data(), payload.size());
  return XXH3_64bits_digest(&state);
}

/// Reads a payload; returns "" or what is wrong with it.
using ReadPayload = std::function<std::string(const std::string& id, std::span<const std::byte> payload)>;

/// Reads the frame at the start of `bytes`; its size, or 0 and `problem`.
std::size_t unpack_frame(const FrameKind& kind, std::span<const std::byte> bytes, const ReadPayload& read,
                         std::string& problem) {
  Header header;
  if (bytes.size() < sizeof header) {
    problem = "ends within a frame";
    return 0;
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto rest = bytes.subspan(sizeof header);
  if (header.magic != kind.magic) {
    problem = "holds something that is no frame";
  } else if (header.length > rest.size()) {
    problem = "ends within a frame";
  } else if (const auto payload = rest.first(static_cast<std::size_t>(header.length));
             checksum(header, payload) != header.checksum) {
    problem = "holds a frame whose checksum does not hold";
  } else if (header.schema != kind.schema) {
    problem = "was written by a version of the program with other columns";
  } else {
    const std::string wrong = read({header.id.data(), strnlen(header.id.data(), header.id.size())}, payload);
    if (wrong.empty()) return sizeof header + payload.size();
    problem = "holds a frame that cannot be: " + wrong;
  }
  return 0;
}

std::string at_byte(const std::string& problem, std::uint64_t place) {
  return problem + " (at byte " + std::to_string(place) + ")";
}

/// Where a frame may begin again after one that does not hold; the size of `bytes` if nowhere.
std::size_t find_magic(const FrameKind& kind, std::span<const std::byte> bytes) {
  const auto same = [](std::byte byte, char letter) { return static_cast<char>(byte) == letter; };
  const auto found = std::search(bytes.begin(), bytes.end(), kind.magic.begin(), kind.magic.end(), same);
  return static_cast<std::size_t>(found - bytes.begin());
}

/// The same in a file from `place` on, a piece of it at a time; its size if nowhere.
std::uint64_t next_magic(const FrameKind& kind, const FileBytes& file, std::uint64_t place) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  std::vector<std::byte> piece;
  while (place + kind.magic.size() <= file.size()) {
    piece.resize(static_cast<std::size_t>(std::min(most, file.size() - place)));
    file.read(place, piece);
    const std::size_t found = find_magic(kind, piece);
    if (found < piece.size()) return place + found;
    place += piece.size() - (kind.magic.size() - 1);  // it may lie across two pieces
  }
  return file.size();
}

}  // namespace

std::vector<std::byte> pack_frame(const FrameKind& kind, const std::string& id, std::span<const std::byte> payload) {
  Header header{kind.magic, kind.schema, {}, payload.size(), 0};
  if (id.size() > header.id.size()) throw fault("the id of a frame has more than 16 characters", id);
  std::copy(id.begin(), id.end(), header.id.begin());
  header.checksum = checksum(header, payload);
  std::vector<std::byte> frame(sizeof header + payload.size());
  std::memcpy(frame.data(), &header, sizeof header);
  std::copy(payload.begin(), payload.end(), frame.begin() + sizeof header);
  return frame;
}

void require_version(const FrameKind& kind, const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::array<char, std::tuple_size_v<decltype(kind.magic)>> begin{};
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  const bool whole = in.gcount() == static_cast<std::streamsize>(begin.size());
  const bool named_alike = std::equal(begin.begin(), begin.end() - 1, kind.magic.begin());
  if (!whole || !named_alike || begin.back() == kind.magic.back()) return;
  throw usage_error(
      fmt::format("is a shard of format {}; this palstudy reads format {}", begin.back(), kind.magic.back()),
      path.string(), "go on with the palstudy that began it, or remove the folder to start again");
}

std::optional<FramesRead> read_frames(const FrameKind& kind, const std::filesystem::path& path,
                                      const ReadPlacedPayload& read, std::uint64_t from) {
  const std::optional<FileBytes> file = FileBytes::open(path);
  if (!file) return std::nullopt;
  FramesRead result{"", file->size(), std::min(from, file->size())};
  FileWindow window(*file);
  for (std::uint64_t place = result.end; place < file->size();) {
    const std::uint64_t left = file->size() - place;
    std::span<const std::byte> frame = window.at(place, std::min<std::uint64_t>(left, sizeof(Header)));
    Header header;
    if (frame.size() == sizeof header) {
      std::memcpy(&header, frame.data(), sizeof header);
      // Memory is taken for the length in a header only if the file is that long.
      if (header.magic == kind.magic && header.length <= left - sizeof header) {
        frame = window.at(place, sizeof header + header.length);
      }
    }
    const auto placed = [&](const std::string& id, std::span<const std::byte> payload) {
      return read(id, payload, place + sizeof header);
    };
    std::string problem;
    const std::size_t size = unpack_frame(kind, frame, placed, problem);
    if (size == 0 && result.wrong.empty()) result.wrong = at_byte(problem, place);
    place = size > 0 ? place + size : next_magic(kind, *file, place + 1);
    if (size > 0) result.end = place;
  }
  return result;
}

std::vector<std::filesystem::path> shard_files(const std::filesystem::path& parts) {
  std::error_code error;
  auto files = files_ending(parts, ".shard", error);
  // Whoever writes there says that a folder above is a file.
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory) {
    throw data_error("cannot be listed: " + error.message(), parts.string(), "check the permissions of the folder");
  }
  return files;
}

}  // namespace palstudy
