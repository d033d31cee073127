// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "record/tables.hpp"
#include "shard/frame_file.hpp"
#include "shard/frame_format.hpp"

namespace palstudy {

/// The inside of a frame, after its header: see hdf5-schemas/shard.md. Everything of a record but its id.
[[nodiscard]] std::vector<std::byte> encode_payload(const RunRecord& record);

/// Reads it back. Returns "" or what is wrong; never reads beyond `bytes` nor allocates more than a few times its size,
/// whatever it holds.
[[nodiscard]] std::string decode_payload(std::span<const std::byte> bytes, RunRecord& record);

/// Reads the head alone: run, status, digest, reason and, if `with_row`, the row of /runs.
[[nodiscard]] std::string decode_head(std::span<const std::byte> bytes, bool with_row, RunRecord& record);

/// The kind of frame that holds a finished run.
[[nodiscard]] FrameKind run_frames();
/// One frame: magic, schema hash, run id, length, XXH3-64, columns as raw little-endian arrays in schema order.
[[nodiscard]] std::vector<std::byte> encode_frame(const RunRecord& record);

/// XXH3-64 of the schema: tables, names and types of the fixed columns. Frames of another schema are not read.
[[nodiscard]] std::uint64_t schema_hash();

/// The append-only file to which one rank writes finished runs.
class ShardWriter : public FrameFile {
 public:
  /// Creates `<parts>/<start>-<rank>.shard`. Errors (data): cannot be created.
  ShardWriter(const std::filesystem::path& parts, const std::string& start, int rank)
      : FrameFile(parts / (start + "-" + std::to_string(rank) + ".shard")) {}
  using FrameFile::append;
  /// Errors: as FrameFile::append.
  void append(const RunRecord& record) { append(encode_frame(record)); }
};

}  // namespace palstudy
