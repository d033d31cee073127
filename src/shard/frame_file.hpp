// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <vector>

namespace palstudy {

/// An append-only file of frames: created by its writer, never truncated; each frame is written by one `write`.
/// fdatasync at most once a second and at close.
class FrameFile {
 public:
  /// Errors (data): is there already, or cannot be created.
  explicit FrameFile(const std::filesystem::path& path);
  ~FrameFile();
  FrameFile(const FrameFile&) = delete;
  FrameFile& operator=(const FrameFile&) = delete;
  /// Errors (data): a full disk, a file-size limit; what was written before stays whole, and the file takes no more:
  /// the disk is not to be trusted.
  void append(const std::vector<std::byte>& frame);
  /// fdatasync, if something is unsynced and the last one was a second ago; cheap else. To be called often, where there
  /// is time to wait for the disk.
  void tick();
  /// fdatasync at once, if something is unsynced.
  void sync();
  /// Syncs and closes; the destructor does the same but cannot report an error. Errors (data): the disk lost data.
  void close();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool unsynced_ = false, broken_ = false;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

}  // namespace palstudy
