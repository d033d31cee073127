// SPDX-License-Identifier: MIT
#include "shard/checkpoint_file.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

#include "core/build_info.hpp"
#include "core/byte_stream.hpp"
#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "shard/parts_folder.hpp"

namespace palstudy {
namespace {

constexpr std::array<char, 8> magic = {'P', 'A', 'L', 'C', 'K', 'P', 'T', '\n'};
constexpr std::uint64_t schema_version = 4;
constexpr auto extension = ".ckpt";

/// Without padding, little-endian, as it lies in the file.
struct CheckpointHeader {
  std::array<char, 8> magic;
  std::uint64_t version, build;
  std::array<char, 16> run;  // shorter ids end in NULs
  double time_s;
  std::uint64_t instants;
  std::uint64_t frames;    // the shared one included
  std::uint64_t files;     // length of the input sums that follow the header
  std::uint64_t length;    // of all that follows the header
  std::uint64_t checksum;  // XXH3-64 of the header up to here and of what follows
};
static_assert(sizeof(CheckpointHeader) == 88);

/// The entries follow the input sums, and the frames each other behind them.
struct FrameEntry {
  std::int64_t partition;  // -1: shared
  double cost_s;
  std::uint64_t length, checksum;
};
static_assert(sizeof(FrameEntry) == 32);

class Hash {
 public:
  Hash() { XXH3_64bits_reset(&state_); }
  void add(const void* data, std::size_t size) { XXH3_64bits_update(&state_, data, size); }
  template <class T>
  void value(const T& number) {
    add(&number, sizeof number);
  }
  void text(const std::string& text) {
    value(std::uint64_t{text.size()});
    add(text.data(), text.size());
  }
  [[nodiscard]] std::uint64_t get() const { return XXH3_64bits_digest(&state_); }

 private:
  XXH3_state_t state_;
};

std::uint64_t hash_of(const std::string& bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::span<const std::byte> as_bytes(const void* data, std::size_t size) {
  return {static_cast<const std::byte*>(data), size};
}

Error unreadable(const std::filesystem::path& path, const std::string& why) {
  return data_error("checkpoint " + why, path.string(), "the run starts again from its beginning");
}

std::string read_range(std::ifstream& file, const CheckpointFrame& frame, const std::filesystem::path& path) {
  std::string bytes(frame.length, '\0');
  file.seekg(static_cast<std::streamoff>(frame.begin));
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw unreadable(path, "cannot be read");
  if (hash_of(bytes) != frame.checksum) throw unreadable(path, "holds a frame whose checksum does not hold");
  return bytes;
}

/// The head of an open file; "" or what is wrong with it.
std::string read_head(std::ifstream& file, CheckpointHead& head) {
  file.seekg(0, std::ios::end);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (size < 0) return "cannot be read";
  CheckpointHeader header;
  std::vector<std::byte> front(sizeof header);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(front.data()), sizeof header);
  if (!file) return "ends too early";
  std::memcpy(&header, front.data(), sizeof header);
  // As many bytes and entries as there can be; the decoder refuses more.
  const std::uint64_t rest = static_cast<std::uint64_t>(size) - sizeof header, files = std::min(header.files, rest);
  front.resize(sizeof header + files +
               std::min(header.frames, (rest - files) / sizeof(FrameEntry)) * sizeof(FrameEntry));
  file.read(reinterpret_cast<char*>(front.data() + sizeof header),
            static_cast<std::streamsize>(front.size() - sizeof header));
  if (!file) return "cannot be read";
  return decode_checkpoint_head(front, static_cast<std::uint64_t>(size), head);
}

bool whole(std::ifstream& file, const CheckpointHead& head) {
  Hash hash;
  std::vector<char> piece(static_cast<std::size_t>(std::min<std::uint64_t>(1 << 20, head.size)));
  file.seekg(0);
  for (std::uint64_t at = 0; at < head.size;) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), head.size - at));
    file.read(piece.data(), static_cast<std::streamsize>(size));
    if (!file) return false;
    const std::size_t skipped = at == 0 ? sizeof(CheckpointHeader) : 0;
    if (at == 0) hash.add(piece.data(), offsetof(CheckpointHeader, checksum));
    hash.add(piece.data() + skipped, size - skipped);
    at += size;
  }
  return hash.get() == head.checksum;
}

}  // namespace

std::uint64_t build_hash() {
  const BuildInfo& build = build_info();
  Hash hash;
  for (const auto* text : {&build.version, &build.commit, &build.compiler, &build.flags}) hash.text(*text);
  return hash.get();
}

std::filesystem::path checkpoint_path(const std::filesystem::path& parts, const std::string& run) {
  return parts / (run + extension);
}

std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& parts) {
  std::error_code ignored;
  return files_ending(parts, extension, ignored);
}

std::string decode_checkpoint_head(std::span<const std::byte> bytes, std::uint64_t size, CheckpointHead& head) {
  CheckpointHeader header;
  if (bytes.size() < sizeof header) return "ends too early";
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != magic) return "is no checkpoint";
  if (header.version != schema_version) return "was written by another version of the program";
  if (size < sizeof header || header.length != size - sizeof header) return "ends too early, or goes on too long";
  std::span<const std::byte> rest = bytes.subspan(sizeof header);
  if (header.files > rest.size()) return "has inputs beyond its end";
  ByteReader files(rest.first(static_cast<std::size_t>(header.files)));
  head.key = {std::string(header.run.data(), strnlen(header.run.data(), header.run.size())), take_inputs(files)};
  if (!files.good() || files.left() > 0) return "has inputs that cannot be";
  rest = rest.subspan(static_cast<std::size_t>(header.files));
  if (header.frames > rest.size() / sizeof(FrameEntry)) return "names more frames than it has";
  head.build = header.build;
  head.time_s = header.time_s;
  head.instants = header.instants;
  head.size = size;
  head.checksum = header.checksum;
  head.frames.clear();
  std::uint64_t begin = sizeof header + header.files + header.frames * sizeof(FrameEntry);
  for (std::uint64_t i = 0; i < header.frames; ++i) {
    FrameEntry entry;
    std::memcpy(&entry, rest.data() + i * sizeof entry, sizeof entry);
    if (entry.length > size - begin) return "has a frame beyond its end";
    if (entry.partition != static_cast<std::int64_t>(i) - 1) return "has its frames in another order";
    head.frames.push_back({entry.partition, entry.cost_s, begin, entry.length, entry.checksum});
    begin += entry.length;
  }
  return begin == size && header.frames > 0 ? "" : "holds more than its frames";
}

std::uint64_t write_checkpoint(const std::filesystem::path& path, const CheckpointKey& key, const RunState& state) {
  if (key.run.size() > CheckpointHeader{}.run.size()) throw fault("a run's id has more than 16 characters", key.run);
  std::vector<FrameEntry> entries = {{-1, 0, state.shared.size(), hash_of(state.shared)}};
  ByteWriter out;
  put(out, key.files);
  const std::vector<std::byte> files = out.take();
  std::vector<std::span<const std::byte>> pieces = {{}, files, {}};  // the header and the entries are made last
  pieces.push_back(as_bytes(state.shared.data(), state.shared.size()));
  for (const SavedPartition& part : state.partitions) {
    entries.push_back({part.id.value, part.cost_s, part.bytes.size(), hash_of(part.bytes)});
    pieces.push_back(as_bytes(part.bytes.data(), part.bytes.size()));
  }
  CheckpointHeader header{magic,          schema_version, build_hash(), {}, state.time_s,
                          state.instants, entries.size(), files.size(), 0,  0};
  std::copy(key.run.begin(), key.run.end(), header.run.begin());
  pieces[2] = as_bytes(entries.data(), entries.size() * sizeof(FrameEntry));
  for (std::size_t i = 1; i < pieces.size(); ++i) header.length += pieces[i].size();
  Hash hash;
  hash.add(&header, offsetof(CheckpointHeader, checksum));
  for (std::size_t i = 1; i < pieces.size(); ++i) hash.add(pieces[i].data(), pieces[i].size());
  header.checksum = hash.get();
  pieces[0] = as_bytes(&header, sizeof header);
  write_durably(path, part_beside(path), pieces);
  return sizeof header + header.length;
}

std::optional<CheckpointHead> peek_checkpoint(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  CheckpointHead head;
  return file && read_head(file, head).empty() ? std::optional(std::move(head)) : std::nullopt;
}

std::string check_checkpoint(const std::filesystem::path& path, const CheckpointKey& key, CheckpointHead& head) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "cannot be opened";
  if (const std::string wrong = read_head(file, head); !wrong.empty()) return wrong;
  if (!whole(file, head)) return "is damaged: its checksum does not hold";
  if (head.build != build_hash()) return "was written by another build of the program";
  if (head.key.run != key.run) return "is of another run";
  const std::string what = changed_input(head.key.files, key.files);
  return what.empty() ? "" : "is of other inputs: " + what;
}

RunState read_checkpoint(const std::filesystem::path& path, const std::vector<PartitionId>& partitions) {
  std::ifstream file(path, std::ios::binary);
  CheckpointHead head;
  const std::string wrong = file ? read_head(file, head) : "cannot be opened";
  if (!wrong.empty()) throw unreadable(path, wrong);
  RunState state{head.time_s, head.instants, read_range(file, head.frames.front(), path), {}};
  for (const PartitionId p : partitions) {
    if (p.index() + 1 >= head.frames.size()) throw unreadable(path, "has fewer partitions");
    const CheckpointFrame& frame = head.frames[p.index() + 1];
    state.partitions.push_back({p, frame.cost_s, read_range(file, frame, path)});
  }
  return state;
}

}  // namespace palstudy
