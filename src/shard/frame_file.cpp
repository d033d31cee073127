// SPDX-License-Identifier: MIT
#include "shard/frame_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
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

struct FrameFile::State {
  std::filesystem::path path;
  int descriptor = -1;
  bool unsynced = false, broken = false;
  Clock::time_point synced = Clock::now();

  void write(const std::vector<std::byte>& frame);
  void sync();
  void sync_if_due() {
    if (unsynced && Clock::now() - synced >= sync_interval) sync();
  }
};

void FrameFile::State::write(const std::vector<std::byte>& frame) {
  std::size_t done = 0;
  while (done < frame.size()) {
    // One call writes a frame. Where the disk is full within it the next call fails; that, a signal and the 2 GiB limit
    // of a call are the only reasons for a second one.
    const ssize_t wrote = ::write(descriptor, frame.data() + done, frame.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      broken = true;
      throw write_error(wrote < 0 ? errno : ENOSPC, path);
    }
    unsynced = true;
    done += static_cast<std::size_t>(wrote);
  }
}

void FrameFile::State::sync() {
  unsynced = false;
  synced = Clock::now();
  if (::fdatasync(descriptor) != 0 && errno != EINVAL && errno != ENOSYS) {
    broken = true;
    throw write_error(errno, path);
  }
}

FrameFile::FrameFile(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->descriptor = ::open(state_->path.c_str(), O_CREAT | O_EXCL | O_APPEND | O_WRONLY | O_CLOEXEC, 0666);
  if (state_->descriptor < 0) {
    throw data_error(std::string("shard cannot be created: ") + std::strerror(errno), state_->path.string(),
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
  if (state_->broken || state_->descriptor < 0) {
    throw data_error("shard takes no more frames", state_->path.string(), "resume: an earlier write failed");
  }
  state_->write(frame);
}

void FrameFile::tick() {
  if (state_->descriptor >= 0) state_->sync_if_due();
}

void FrameFile::sync() {
  if (state_->descriptor >= 0 && state_->unsynced) state_->sync();
}

void FrameFile::close() {
  if (state_->descriptor < 0) return;
  const int descriptor = state_->descriptor;
  try {
    if (state_->unsynced) state_->sync();
  } catch (...) {
    state_->descriptor = -1;
    (void)::close(descriptor);
    throw;
  }
  state_->descriptor = -1;
  if (::close(descriptor) != 0 && errno != EINTR) throw write_error(errno, state_->path);
}

const std::filesystem::path& FrameFile::path() const { return state_->path; }

}  // namespace palstudy
