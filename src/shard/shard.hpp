// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "shard/frame_file.hpp"
#include "shard/frame_format.hpp"

namespace palstudy {

/// The kind of frame that holds a finished run.
[[nodiscard]] FrameKind run_frames();
/// One frame: magic, schema hash, run id, length, XXH3-64, columns as raw little-endian arrays in schema order.
[[nodiscard]] std::vector<std::byte> encode_frame(const RunRecord& record);
/// What the frames held; one whose checksum does not hold is left out, and so is what no frame begins.
struct FrameScan {
  std::vector<RunRecord> records;
  std::string problem;  ///< "" or what was wrong first
};
[[nodiscard]] FrameScan decode_frames(std::span<const std::byte> bytes);

/// The append-only file to which one rank writes finished runs.
class ShardWriter : public FrameFile {
 public:
  /// Creates `<parts>/<start>-<team>.shard`. Errors (data): cannot be created.
  ShardWriter(const std::filesystem::path& parts, const std::string& start, int team)
      : FrameFile(parts / (start + "-" + std::to_string(team) + ".shard")) {}
  using FrameFile::append;
  /// Errors: as FrameFile::append.
  void append(const RunRecord& record) { append(encode_frame(record)); }
};

}  // namespace palstudy
