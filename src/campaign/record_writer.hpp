// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <utility>

#include "core/task_thread.hpp"
#include "record/record.hpp"
#include "shard/run_frame.hpp"

namespace palstudy {

/// What became of a run that was kept.
struct WrittenRun {
  std::string id;
  bool failed = false;
};

/// One rank's shard, filled in a thread of its own, so that the next run does not wait for the record of the last one,
/// its digest and the disk. One run at a time; the shard is made with the first.
class RecordWriter {
 public:
  RecordWriter(std::filesystem::path parts, std::string start, int rank, InputSums inputs)
      : parts_(std::move(parts)), start_(std::move(start)), rank_(rank), inputs_(std::move(inputs)) {}

  /// Makes a record and appends it. Not while busy().
  void begin(std::function<RunRecord()> make);
  /// True from begin() until poll() has returned the run.
  [[nodiscard]] bool busy() const { return at_work_.valid(); }
  /// Waits so long at most, for the end of what is at work.
  void wait(std::chrono::milliseconds at_most) const;
  /// The run that has ended since, if one has. Throws what its keeping threw.
  std::optional<WrittenRun> poll();

  /// Syncs now and then. Nothing while busy().
  void tick();
  /// Neither of these while busy().
  void sync();
  void close();

 private:
  std::filesystem::path parts_;
  std::string start_;
  int rank_;
  InputSums inputs_;
  std::optional<ShardWriter> shard_;
  std::future<WrittenRun> at_work_;
  TaskThread thread_;  // the last member: its work is waited for before the shard goes
};

}  // namespace palstudy
