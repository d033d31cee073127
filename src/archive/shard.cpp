// SPDX-License-Identifier: MIT
// The bytes of shards: frames made, found again and read. Layout: hdf5-schemas/shard.md.
#include "archive/shard.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>

#include "archive/frame.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

constexpr std::array<char, 8> magic = {'P', 'A', 'L', 'S', 'H', 'R', 'D', '1'};

/// Without padding, little-endian, as it lies in the file.
struct Header {
  std::array<char, 8> magic;
  std::uint64_t schema;
  std::array<char, 16> id;  // of the run; shorter ones end in NULs
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

/// The frame at the start of `bytes`; its size, or 0 and `problem`.
std::size_t decode_frame(std::span<const std::byte> bytes, RunRecord& record, std::string& problem) {
  Header header;
  if (bytes.size() < sizeof header) {
    problem = "ends within a frame";
    return 0;
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto rest = bytes.subspan(sizeof header);
  if (header.magic != magic) {
    problem = "holds something that is no frame";
  } else if (header.length > rest.size()) {
    problem = "ends within a frame";
  } else if (const auto payload = rest.first(static_cast<std::size_t>(header.length));
             checksum(header, payload) != header.checksum) {
    problem = "holds a frame whose checksum does not hold";
  } else if (header.schema != schema_hash()) {
    problem = "was written by a version of the program with other columns";
  } else {
    record.id.assign(header.id.data(), strnlen(header.id.data(), header.id.size()));
    const std::string wrong = decode_payload(payload, record);
    if (wrong.empty()) return sizeof header + payload.size();
    problem = "holds a frame that cannot be: " + wrong;
  }
  return 0;
}

/// Nothing if it has gone since it was listed: whoever holds the folder has merged it.
std::optional<std::vector<std::byte>> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  std::vector<std::byte> bytes(size > 0 ? static_cast<std::size_t>(size) : 0);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  std::error_code ignored;
  if (!file && !std::filesystem::exists(path, ignored)) return std::nullopt;
  if (!file || size < 0) throw data_error("shard cannot be read", path.string(), "Check its permissions and the disk.");
  return bytes;
}

std::vector<std::filesystem::path> shard_files(const std::filesystem::path& parts) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(parts, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".shard") files.push_back(entry->path());
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    throw data_error("cannot be listed: " + error.message(), parts.string(), "Check the permissions of the folder.");
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::filesystem::path parts_dir(const std::filesystem::path& archive) {
  std::filesystem::path parts = archive;
  parts += ".parts";
  return parts;
}

std::vector<std::byte> encode_frame(const RunRecord& record) {
  const std::vector<std::byte> payload = encode_payload(record);
  Header header{magic, schema_hash(), {}, payload.size(), 0};
  if (record.id.size() > header.id.size()) throw fault("a run's id has more than 16 characters", record.id);
  std::copy(record.id.begin(), record.id.end(), header.id.begin());
  header.checksum = checksum(header, payload);
  std::vector<std::byte> frame(sizeof header + payload.size());
  std::memcpy(frame.data(), &header, sizeof header);
  std::copy(payload.begin(), payload.end(), frame.begin() + sizeof header);
  return frame;
}

FrameScan decode_frames(std::span<const std::byte> bytes) {
  FrameScan scan;
  std::size_t place = 0;
  while (place < bytes.size()) {
    RunRecord record;
    const std::size_t size = decode_frame(bytes.subspan(place), record, scan.problem);
    if (size == 0) {
      scan.problem += " (at byte " + std::to_string(place) + ")";
      break;
    }
    scan.records.push_back(std::move(record));
    place += size;
  }
  return scan;
}

std::vector<RunRecord> read_shards(const std::filesystem::path& parts, std::vector<std::string>& problems) {
  std::vector<RunRecord> kept;
  std::map<std::string, std::size_t> place_of;
  for (const auto& file : shard_files(parts)) {
    const auto bytes = read_file(file);
    if (!bytes) continue;
    FrameScan scan = decode_frames(*bytes);
    if (!scan.problem.empty()) problems.push_back(file.string() + " " + scan.problem + "; what precedes it is whole.");
    for (RunRecord& record : scan.records) {
      const auto [place, fresh] = place_of.try_emplace(record.id, kept.size());
      if (fresh) {
        kept.push_back(std::move(record));
      } else if (kept[place->second].status == RunStatus::failed) {
        kept[place->second] = std::move(record);
      }
    }
  }
  std::stable_sort(kept.begin(), kept.end(), [](const RunRecord& a, const RunRecord& b) { return a.run < b.run; });
  return kept;
}

}  // namespace palstudy
