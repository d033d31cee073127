// SPDX-License-Identifier: MIT
#include "shard/shard.hpp"

#include "shard/run_frame.hpp"

namespace palstudy {

FrameKind run_frames() { return {{'P', 'A', 'L', 'S', 'H', 'R', 'D', '1'}, schema_hash()}; }

std::vector<std::byte> encode_frame(const RunRecord& record) {
  return pack_frame(run_frames(), record.id, encode_payload(record));
}

FrameScan decode_frames(std::span<const std::byte> bytes) {
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
