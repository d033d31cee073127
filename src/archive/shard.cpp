// SPDX-License-Identifier: MIT
// The bytes of shards: frames made, found again and read. Layout: hdf5-schemas/shard.md.
#include "archive/shard.hpp"

#include <algorithm>
#include <map>

#include "archive/envelope.hpp"
#include "archive/frame.hpp"

namespace palstudy {
namespace {

FrameKind run_frames() { return {{'P', 'A', 'L', 'S', 'H', 'R', 'D', '1'}, schema_hash()}; }

}  // namespace

std::filesystem::path parts_dir(const std::filesystem::path& archive) {
  std::filesystem::path parts = archive;
  parts += ".parts";
  return parts;
}

std::vector<std::byte> encode_frame(const RunRecord& record) {
  return seal_frame(run_frames(), record.id, encode_payload(record));
}

FrameScan decode_frames(std::span<const std::byte> bytes) {
  FrameScan scan;
  scan.problem = open_frames(run_frames(), bytes, [&](const std::string& id, std::span<const std::byte> payload) {
    RunRecord record;
    record.id = id;
    std::string wrong = decode_payload(payload, record);
    if (wrong.empty()) scan.records.push_back(std::move(record));
    return wrong;
  });
  return scan;
}

std::vector<RunRecord> read_shards(const std::filesystem::path& parts, std::vector<std::string>& problems) {
  std::vector<RunRecord> kept;
  std::map<std::string, std::size_t> place_of;
  for (const auto& file : shard_files(parts)) {
    const auto bytes = read_shard(file);
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
