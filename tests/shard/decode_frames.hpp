// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shard/run_frame.hpp"

namespace palstudy {

/// What the frames held; one whose checksum does not hold is left out, and so is what no frame begins.
struct FrameScan {
  std::vector<RunRecord> records;
  std::string problem;  ///< "" or what was wrong first
};
[[nodiscard]] inline FrameScan decode_frames(std::span<const std::byte> bytes) {
  FrameScan scan;
  scan.problem = unpack_frames(run_frames(), bytes, [&](const std::string& id, std::span<const std::byte> payload) {
    RunRecord record;
    record.id = id;
    std::string wrong = decode_payload(payload, record);
    if (wrong.empty()) scan.records.push_back(std::move(record));
    return wrong;
  });
  return scan;
}

}  // namespace palstudy
