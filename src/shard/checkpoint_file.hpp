// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shard/input_sums.hpp"
#include "sim/simulation.hpp"
#include "sim/state/checkpoints.hpp"

namespace palstudy {

/// Whose state a checkpoint holds. Only the binary that wrote one reads it: its bytes follow the classes of the engine.
struct CheckpointKey {
  std::string run;       ///< the id of the run
  InputSums files = {};  ///< those of the study
};

/// XXH3-64 of version, commit, compiler and flags.
[[nodiscard]] std::uint64_t build_hash();

/// `<parts>/<run id>.ckpt`.
[[nodiscard]] std::filesystem::path checkpoint_path(const std::filesystem::path& parts, const std::string& run);
/// Every checkpoint of a folder, by name; none if there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& parts);

/// One frame of a checkpoint: the state that all ranks share, or that of a partition.
struct CheckpointFrame {
  std::int64_t partition = -1;  ///< -1: shared
  double cost_s = 0;
  std::uint64_t begin = 0, length = 0;  ///< in bytes of the file
  std::uint64_t checksum = 0;           ///< XXH3-64
};

/// What stands in front of the frames; layout: hdf5-schemas/checkpoint.md.
struct CheckpointHead {
  CheckpointKey key;
  std::uint64_t build = 0;
  double time_s = 0;  ///< simulated
  std::uint64_t instants = 0;
  std::uint64_t size = 0, checksum = 0;  ///< of the whole file
  std::vector<CheckpointFrame> frames;   ///< the shared one first, partitions ascending
};
/// Reads the head from the first bytes of a file of `size` bytes. Returns "" or what is wrong; never reads beyond
/// `bytes` nor allocates more than a few times their number, whatever they hold.
[[nodiscard]] std::string decode_checkpoint_head(std::span<const std::byte> bytes, std::uint64_t size,
                                                 CheckpointHead& head);

/// Puts a checkpoint in its place, or leaves the one before: written aside, fsynced, renamed.
/// Returns its size in bytes. Errors (data): a full disk, an unwritable folder.
std::uint64_t write_checkpoint(const std::filesystem::path& path, const CheckpointKey& key, const RunState& state);
/// The head alone, unchecked but for its form; nothing if there is none.
[[nodiscard]] std::optional<CheckpointHead> peek_checkpoint(const std::filesystem::path& path);
/// Reads the whole file once and returns what is wrong with it: damaged, of another build, run or inputs. "" if it is
/// good.
[[nodiscard]] std::string check_checkpoint(const std::filesystem::path& path, const CheckpointKey& key,
                                           CheckpointHead& head);
/// The shared state and that of some partitions, each checked against its checksum first.
/// Errors (data): unreadable, damaged, without one of the partitions.
[[nodiscard]] RunState read_checkpoint(const std::filesystem::path& path, const std::vector<PartitionId>& partitions);

}  // namespace palstudy
