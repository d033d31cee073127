// SPDX-License-Identifier: MIT
#include "core/file_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "core/error.hpp"

namespace palstudy {
namespace {

/// Large enough that calls cost nothing beside the bytes, small enough to stay in a cache.
constexpr std::uint64_t window_bytes = std::uint64_t{256} << 10;

Error unreadable(const std::filesystem::path& path, const char* why) {
  return data_error(std::string("cannot be read: ") + why, path.string(), "check its permissions and the disk");
}

}  // namespace

std::optional<FileBytes> FileBytes::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return std::nullopt;
  if (descriptor < 0) throw unreadable(path, std::strerror(errno));
  FileBytes file(path, descriptor, 0);
  struct stat about = {};
  if (::fstat(descriptor, &about) != 0) throw unreadable(path, std::strerror(errno));
  if (!S_ISREG(about.st_mode)) throw data_error("is no file", path.string(), "move away what has this name");
  file.size_ = static_cast<std::uint64_t>(about.st_size);
  return file;
}

FileBytes::FileBytes(std::filesystem::path path, int descriptor, std::uint64_t size)
    : path_(std::move(path)), descriptor_(descriptor), size_(size) {}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

FileBytes::~FileBytes() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileBytes::read(std::uint64_t place, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw unreadable(path_, std::strerror(errno));
    if (got == 0) throw unreadable(path_, "it has become shorter while it was read");
    into = into.subspan(static_cast<std::size_t>(got));
    place += static_cast<std::uint64_t>(got);
  }
}

std::span<const std::byte> FileWindow::at(std::uint64_t place, std::uint64_t size) {
  const std::uint64_t end = begin_ + held_.size();
  if (place < begin_ || place + size > end) {
    const std::uint64_t left = file_.size() - std::min(place, file_.size());
    held_.resize(static_cast<std::size_t>(std::max(size, std::min(left, window_bytes))));
    begin_ = place;
    file_.read(place, held_);
  }
  return std::span(held_).subspan(static_cast<std::size_t>(place - begin_), static_cast<std::size_t>(size));
}

namespace {

/// By normalized path: the descriptor of the copy, which stays open until the process ends.
std::map<std::filesystem::path, int>& copies() {
  static std::map<std::filesystem::path, int> all;
  return all;
}

bool write_all(int descriptor, const std::string& content) {
  for (std::size_t done = 0; done < content.size();) {
    const ssize_t written = ::write(descriptor, content.data() + done, content.size() - done);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return true;
}

std::filesystem::path path_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

}  // namespace

void add_file_copy(const std::filesystem::path& path, const std::string& content) {
  const int descriptor = ::memfd_create("palstudy-input", MFD_CLOEXEC);
  std::error_code none;
  if (descriptor >= 0 && write_all(descriptor, content) &&
      std::filesystem::is_regular_file(path_of(descriptor), none)) {
    copies().emplace(path.lexically_normal(), descriptor);
  } else if (descriptor >= 0) {
    ::close(descriptor);
  }
}

std::filesystem::path where_read(const std::filesystem::path& path) {
  if (copies().empty()) return path;
  const auto copy = copies().find(path.lexically_normal());
  return copy == copies().end() ? path : path_of(copy->second);
}

std::vector<std::filesystem::path> copies_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& [path, descriptor] : copies()) {
    if (path.parent_path() == folder.lexically_normal()) paths.push_back(path);
  }
  return paths;
}

}  // namespace palstudy
