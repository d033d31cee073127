// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/file_bytes.hpp"
#include "record/record.hpp"
#include "shard/run_frame.hpp"

namespace palstudy {

/// A finished run in a shard: about 100 bytes, whatever the run holds.
struct ShardRun {
  std::int64_t run = 0;
  std::string id;
  RunStatus status = RunStatus::done;
  std::size_t file = 0;                 ///< in ShardIndex::files
  std::uint64_t place = 0, length = 0;  ///< of its payload in the file, bytes
};

/// What the shards of a folder hold.
struct ShardIndex {
  std::vector<std::filesystem::path> files;
  std::vector<ShardRun> runs;         ///< in run order. Of one run id the first that is done, else the last failed one
  std::vector<std::string> problems;  ///< a sentence for each shard that is not intact to its end, as after a kill
};

/// Reads every frame once, to check it; one at a time is in memory. Errors (data): a shard that cannot be read.
[[nodiscard]] ShardIndex index_shards(const std::filesystem::path& parts);

/// Is called with the head of a run, its id included; of the first in a shard with the row of /runs too, whose columns
/// are those of all others, since one process wrote them for one study.
using SeeHead = std::function<void(const RunHead& head)>;

/// The heads in the shards of a folder, each passed on once, however often they are read: shards only grow, so
/// that later frames are read from where the last one ended.
class ShardHeads {
 public:
  explicit ShardHeads(std::filesystem::path parts) : parts_(std::move(parts)) {}
  /// Passes on the heads of the intact frames that were appended since the last call. Errors (data): a shard that
  /// cannot be read; (usage) one of another version of the format; whatever `see` throws.
  void read_new(const SeeHead& see);
  /// Whether a shard that was read has gone or become shorter: the heads passed on are then out of date.
  [[nodiscard]] bool lost() const;

 private:
  struct ShardSize {
    std::uint64_t size, end;  ///< of the file; of its last frame that holds
  };
  std::filesystem::path parts_;
  std::map<std::filesystem::path, ShardSize> sizes_;
};

/// The runs of an index, read from their shards on demand. The shards must not change.
class ShardRecords final : public RecordSource {
 public:
  explicit ShardRecords(ShardIndex index) : index_(std::move(index)) {}
  [[nodiscard]] std::size_t size() const override { return index_.runs.size(); }
  [[nodiscard]] const RunRecord& record(std::size_t i) override;
  [[nodiscard]] const ShardIndex& index() const { return index_; }

 private:
  const FileBytes& file(std::size_t i);

  ShardIndex index_;
  std::deque<std::pair<std::size_t, FileBytes>> open_;  // the latest last: a process may not hold all of them open
  std::vector<std::byte> payload_;
  RunRecord record_;
};

}  // namespace palstudy
