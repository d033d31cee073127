// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "shard/frame_format.hpp"
#include "shard/run_frame.hpp"

namespace palstudy {

/// What the frames held; one whose checksum does not hold is left out, and so is what no frame begins.
struct FrameScan {
  std::vector<RunRecord> records;
  std::string problem;  ///< "" or what was wrong first
};
/// Of a file of these bytes, which lies in memory.
[[nodiscard]] inline FrameScan decode_frames(std::span<const std::byte> bytes) {
  static const int file = ::memfd_create("shard", MFD_CLOEXEC);
  if (::ftruncate(file, 0) != 0 || std::cmp_not_equal(::pwrite(file, bytes.data(), bytes.size(), 0), bytes.size())) {
    throw fault("no file in memory");
  }
  FrameScan scan;
  const auto see = [&](const std::string& id, std::span<const std::byte> payload, std::uint64_t) {
    RunRecord record;
    record.id = id;
    std::string wrong = decode_payload(payload, record);
    if (wrong.empty()) scan.records.push_back(std::move(record));
    return wrong;
  };
  const auto read = read_frames(run_frames(), "/proc/self/fd/" + std::to_string(file), see);
  scan.problem = read ? read->wrong : "no file";
  return scan;
}

}  // namespace palstudy
