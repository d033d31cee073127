// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "record/record.hpp"
#include "record/tables.hpp"
#include "shard/frame_file.hpp"
#include "shard/frame_format.hpp"
#include "shard/input_sums.hpp"

namespace palstudy {

/// The inside of a frame, after its header: see hdf5-schemas/shard.md. Everything of a record but its id, and the
/// `inputs` that the run was made from.
[[nodiscard]] std::vector<std::byte> encode_payload(const RunRecord& record, const InputSums& inputs = {});

/// Reads it back. Returns "" or what is wrong; never reads beyond `bytes` nor allocates more than a few times its size,
/// whatever it holds.
[[nodiscard]] std::string decode_payload(std::span<const std::byte> bytes, RunRecord& record);

/// The head of a payload: run, status, digest and reason of the record, and, if it was asked for, the row of /runs.
struct RunHead {
  RunRecord record;
  InputSums inputs;  ///< that the run was made from
};
/// Reads the head alone.
[[nodiscard]] std::string decode_head(std::span<const std::byte> bytes, bool with_row, RunHead& head);

/// The kind of frame that holds a finished run.
[[nodiscard]] FrameKind run_frames();
/// One frame: magic, schema hash, run id, length, XXH3-64, columns as raw little-endian arrays in schema order.
[[nodiscard]] std::vector<std::byte> encode_frame(const RunRecord& record, const InputSums& inputs = {});

/// XXH3-64 of the schema: tables, names and types of the fixed columns. Frames of another schema are not read.
[[nodiscard]] std::uint64_t schema_hash();

/// The append-only file to which one rank writes finished runs.
class ShardWriter : public FrameFile {
 public:
  /// Creates `<parts>/<start>-<rank>.shard`. `inputs`: what its runs are made from. Errors (data): cannot be created.
  ShardWriter(const std::filesystem::path& parts, const std::string& start, int rank, InputSums inputs = {})
      : FrameFile(parts / (start + "-" + std::to_string(rank) + ".shard")), inputs_(std::move(inputs)) {}
  using FrameFile::append;
  /// Errors: as FrameFile::append.
  void append(const RunRecord& record) { append(encode_frame(record, inputs_)); }

 private:
  InputSums inputs_;
};

}  // namespace palstudy
