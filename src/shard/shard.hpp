// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "shard/frame_format.hpp"

namespace palstudy {

/// The append-only file to which one rank writes finished runs: created by it, never truncated; each frame is written
/// by one `write`. fdatasync at most once a second and at close.
class ShardWriter {
 public:
  /// Creates `<parts>/<start>-<team>.shard`. Errors (data): cannot be created.
  ShardWriter(const std::filesystem::path& parts, const std::string& start, int team);
  ~ShardWriter();
  ShardWriter(const ShardWriter&) = delete;
  ShardWriter& operator=(const ShardWriter&) = delete;
  /// Errors (data): a full disk, a file-size limit; what was written before stays whole, and the writer takes no more:
  /// the disk is not to be trusted.
  void append(const RunRecord& record);
  /// fdatasync, if something is unsynced and the last one was a second ago; cheap else. To be called often, beside the
  /// simulation: the disk then costs it no time.
  void tick();
  /// What has been appended is on the disk when it returns. Errors (data): the disk lost data.
  void sync();
  /// Syncs and closes; the destructor does the same but cannot report an error. Errors (data): the disk lost data.
  void close();
  [[nodiscard]] const std::filesystem::path& path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

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

}  // namespace palstudy
