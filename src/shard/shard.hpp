// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "record/record.hpp"
#include "shard/frame_file.hpp"
#include "shard/run_frame.hpp"

namespace palstudy {

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
