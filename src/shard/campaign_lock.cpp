// SPDX-License-Identifier: MIT
#include "shard/campaign_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "core/host.hpp"
#include "shard/parts_folder.hpp"

namespace palstudy {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds poll_interval{50};

/// A campaign locks the first, slices share the second; each checks that the other is not held.
constexpr const char* campaign_lock = "lock";
constexpr const char* slices_lock = "slices.lock";

std::filesystem::path beside(const std::filesystem::path& file) {
  return file.parent_path() / (file.filename() == campaign_lock ? slices_lock : campaign_lock);
}

Error lock_error(const std::filesystem::path& file, int error) {
  return data_error(std::string("the lock cannot be used: ") + std::strerror(error), file.string(),
                    error == ENOLCK || error == EOPNOTSUPP || error == ENOSYS
                        ? "put the output on a file system with flock, which keeps two campaigns apart"
                        : "check that the folder may be written");
}

/// What was opened is emptied and written, so that nothing of another name may be behind it: -1 where there is nothing.
int open_own(const std::filesystem::path& file, int flags) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0666);
  if (descriptor < 0 && errno == ENOENT) return -1;
  if (descriptor < 0 && errno != ELOOP) throw lock_error(file, errno);
  struct stat about = {};
  if (descriptor >= 0 && ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink <= 1) {
    return descriptor;
  }
  if (descriptor >= 0) (void)::close(descriptor);
  throw usage_error(
      descriptor < 0 ? "is a link; the lock has this name" : "is no file of its own; the lock has this name",
      file.string(), "move it away, or give another FILE.h5");
}

/// What has the name of a lock must be one, and is looked at before another lock is made beside it.
void require_lock(const std::filesystem::path& file) {
  if (const int descriptor = open_own(file, 0); descriptor >= 0) (void)::close(descriptor);
}

/// -1 where the folder is not there.
int open_lock(const std::filesystem::path& file) { return open_own(file, O_CREAT); }

/// Whether the path still is the open file: it may have been removed or replaced, and then this lock guards nothing.
bool still_the_file(int descriptor, const std::filesystem::path& file) {
  struct stat opened, named;
  return ::fstat(descriptor, &opened) == 0 && ::lstat(file.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

/// True if it holds the lock afterwards; false if another does.
bool try_lock(int descriptor, int operation, const std::filesystem::path& file) {
  while (::flock(descriptor, operation | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) throw lock_error(file, errno);
  }
  return true;
}

std::string holder(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string who;
  std::getline(in, who);
  return who.empty() ? "unknown" : who;
}

/// What it wrote: the line without its end.
std::string write_holder(int descriptor, const std::filesystem::path& file) {
  const std::string who = "host " + host_name() + ", pid " + std::to_string(::getpid()), line = who + "\n";
  const ssize_t wrote = ::pwrite(descriptor, line.data(), line.size(), 0);
  if (wrote != ssize_t(line.size())) throw lock_error(file, wrote < 0 ? errno : ENOSPC);
  return who;
}

/// Whether no process holds this lock: it can be taken, or does not exist.
bool is_free(const std::filesystem::path& file) {
  const int descriptor = open_own(file, 0);
  if (descriptor < 0) return true;
  const bool had = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  (void)::close(descriptor);
  return had;
}

/// Takes the lock alone, writes host and pid, then shares it. Sharing is not atomic: where another process came
/// between, this one gives up.
bool try_begin(int descriptor, const std::filesystem::path& file) {
  if (!try_lock(descriptor, LOCK_EX, file) || !still_the_file(descriptor, file)) return false;
  if (::ftruncate(descriptor, 0) != 0) throw lock_error(file, errno);
  const std::string who = write_holder(descriptor, file);
  return try_lock(descriptor, LOCK_SH, file) && holder(file) == who && is_free(beside(file));
}

bool try_join(int descriptor, const std::filesystem::path& file) {
  return try_lock(descriptor, LOCK_SH, file) && still_the_file(descriptor, file);
}

/// Both sides take their own lock first and check the other's then, so that one of two that start together sees the
/// other.
/// A campaign that ends removes the slices' file first and its own then: once its own is found free or gone, that of
/// the slices is still there, or this lock guards nothing.
bool try_share(int descriptor, const std::filesystem::path& file) {
  if (!try_join(descriptor, file) || !is_free(beside(file)) || !still_the_file(descriptor, file)) return false;
  write_holder(descriptor, file);  // the last of several that share
  return true;
}

void remove_lock(const std::filesystem::path& file) {
  std::error_code ignored;
  // That of slices that are over goes while this one still keeps others out.
  if (file.filename() == campaign_lock && is_free(beside(file))) std::filesystem::remove(beside(file), ignored);
  std::filesystem::remove(file, ignored);
  (void)::rmdir(file.parent_path().c_str());  // only if that leaves it empty
}

/// What is done about a folder that does not exist.
enum class Folder { made, refused };

/// True if it did not exist. (std::filesystem checks once more what exists, and another process may remove it before.)
bool make_folder(const std::filesystem::path& parts) {
  if (::mkdir(parts.c_str(), 0777) == 0) return true;
  if (errno == EEXIST) {
    require_folder(parts);
    return false;
  }
  throw data_error(std::string("folder cannot be made: ") + std::strerror(errno), parts.string(),
                   "check that the output's folder is there and may be written");
}

/// One attempt; the descriptor, or -1. A campaign that ends may remove the folder between its making and the opening
/// of the file in it, which makes this attempt one that another prevented.
template <class Try>
int try_once(const std::filesystem::path& file, Folder folder, bool& made, Try&& attempt) {
  if (folder == Folder::made) made = make_folder(file.parent_path()) || made;
  require_lock(beside(file));
  const int descriptor = open_lock(file);
  if (descriptor < 0) {
    if (folder == Folder::made) return -1;
    throw data_error("this rank does not see the folder that the first one made", file.parent_path().string(),
                     "put the output on a file system that all hosts share");
  }
  try {
    if (attempt(descriptor, file)) return descriptor;
  } catch (...) {
    (void)::close(descriptor);
    throw;
  }
  (void)::close(descriptor);
  return -1;
}

/// Tries until it has the lock or patience is over; the descriptor. `made`: whether the folder was made on the way.
template <class Try>
int wait_for(const std::filesystem::path& file, std::chrono::milliseconds patience, Folder folder, bool& made,
             Try&& attempt) {
  const auto deadline = Clock::now() + patience;
  while (true) {
    const int descriptor = try_once(file, folder, made, attempt);
    if (descriptor >= 0) return descriptor;
    if (Clock::now() >= deadline) break;
    std::this_thread::sleep_for(poll_interval);
  }
  const std::string who = is_free(beside(file)) ? holder(file) : holder(beside(file));
  throw data_error("another campaign is at work here (" + who + ")", file.string(),
                   "wait until it and every process that it started have ended");
}

/// As wait_for, in a folder that is made. A refusal leaves nothing of its own, but the file of another campaign, which
/// names its holder, stays.
template <class Try>
int wait_in_folder(const std::filesystem::path& file, std::chrono::milliseconds patience, Try&& attempt) {
  bool made = false;
  try {
    return wait_for(file, patience, Folder::made, made, attempt);
  } catch (...) {
    if (made && holder(file) == "unknown") remove_lock(file);
    throw;
  }
}

}  // namespace

CampaignLock CampaignLock::begin(const std::filesystem::path& parts, std::chrono::milliseconds patience) {
  const std::filesystem::path file = parts / campaign_lock;
  return CampaignLock(wait_in_folder(file, patience, try_begin), file);
}

CampaignLock CampaignLock::share(const std::filesystem::path& parts, std::chrono::milliseconds patience) {
  const std::filesystem::path file = parts / slices_lock;
  return CampaignLock(wait_in_folder(file, patience, try_share), file);
}

CampaignLock CampaignLock::join(const std::filesystem::path& parts, Holders holders,
                                std::chrono::milliseconds patience) {
  const std::filesystem::path file = parts / (holders == Holders::slices ? slices_lock : campaign_lock);
  bool made = false;
  return CampaignLock(wait_for(file, patience, Folder::refused, made, try_join), file);
}

bool CampaignLock::is_file_of(const std::filesystem::path& file) {
  return file.filename() == campaign_lock || file.filename() == slices_lock;
}

CampaignLock::CampaignLock(CampaignLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), file_(std::move(other.file_)) {}

CampaignLock& CampaignLock::operator=(CampaignLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(file_, other.file_);
  return *this;
}

CampaignLock::~CampaignLock() {
  if (descriptor_ >= 0) (void)::close(descriptor_);
}

bool CampaignLock::is_held(const std::filesystem::path& parts) {
  const auto held = [&](const char* name) {
    const int descriptor = open_own(parts / name, 0);
    if (descriptor < 0) return false;
    const bool busy =
        ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;  // not where there are no locks
    (void)::close(descriptor);
    return busy;
  };
  return held(campaign_lock) || held(slices_lock);
}

void CampaignLock::remove_file() {
  if (file_.filename() == slices_lock && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    // Others share it: the last one may remove it. Asking may have cost this one its share.
    (void)::flock(descriptor_, LOCK_SH);
    return;
  }
  remove_lock(file_);
}

}  // namespace palstudy
