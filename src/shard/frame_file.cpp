// SPDX-License-Identifier: MIT
#include "shard/frame_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace palstudy {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds sync_interval{1};

/// The error of the system with advice.
Error write_error(int error, const std::filesystem::path& path) {
  if (error == ENOSPC || error == EDQUOT) {
    return data_error(error == ENOSPC ? "disk full" : "disk quota used up", path.string(),
                      "make room and resume: the runs that had finished are kept");
  }
  return data_error(std::string("cannot be written: ") + std::strerror(error), path.string(),
                    "remove the cause and resume: the runs that had finished are kept");
}

/// A new file's name is safe only once its folder is synced. File systems that cannot sync a folder keep it anyway.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::fsync(descriptor);
  (void)::close(descriptor);
}

}  // namespace

FrameFile::FrameFile(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_CREAT | O_EXCL | O_APPEND | O_WRONLY | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) {
    throw data_error(std::string("shard cannot be created: ") + std::strerror(errno), path.string(),
                     "check that its folder is there and may be written");
  }
  sync_folder(path.parent_path());
}

FrameFile::~FrameFile() {
  try {
    close();
  } catch (...) {  // close() reports errors
  }
}

void FrameFile::append(const std::vector<std::byte>& frame) {
  if (broken_ || descriptor_ < 0) {
    throw data_error("shard takes no more frames", path_.string(), "resume: an earlier write failed");
  }
  std::size_t done = 0;
  while (done < frame.size()) {
    // One call writes a frame. Where the disk is full within it the next call fails; that, a signal and the 2 GiB limit
    // of a call are the only reasons for a second one.
    const ssize_t wrote = ::write(descriptor_, frame.data() + done, frame.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      broken_ = true;
      throw write_error(wrote < 0 ? errno : ENOSPC, path_);
    }
    unsynced_ = true;
    done += static_cast<std::size_t>(wrote);
  }
}

void FrameFile::tick() {
  if (unsynced_ && Clock::now() - synced_ >= sync_interval) sync();
}

void FrameFile::sync() {
  if (descriptor_ < 0 || !unsynced_) return;
  unsynced_ = false;
  synced_ = Clock::now();
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS) {
    broken_ = true;
    throw write_error(errno, path_);
  }
}

void FrameFile::close() {
  if (descriptor_ < 0) return;
  const int descriptor = descriptor_;
  try {
    sync();
  } catch (...) {
    descriptor_ = -1;
    (void)::close(descriptor);
    throw;
  }
  descriptor_ = -1;
  if (::close(descriptor) != 0 && errno != EINTR) throw write_error(errno, path_);
}

}  // namespace palstudy
