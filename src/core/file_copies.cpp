// SPDX-License-Identifier: MIT
#include "core/file_copies.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <map>

namespace palstudy {
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
