// SPDX-License-Identifier: MIT
#include "archive/durable_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace palstudy {
namespace {

Error failure(const std::string& what, const std::filesystem::path& path, int cause) {
  return data_error(what + ": " + std::strerror(cause), path.string(),
                    "Make room or give another place, and write it again.");
}

/// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] bool good() const { return fd_ >= 0; }
  [[nodiscard]] bool write(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
  }
  [[nodiscard]] bool sync() const { return ::fsync(fd_) == 0; }
  [[nodiscard]] bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// Removes the file on every way out but the good one.
struct Remover {
  std::filesystem::path path;
  bool keep = false;
  ~Remover() {
    std::error_code ignored;
    if (!keep) std::filesystem::remove(path, ignored);
  }
};

}  // namespace

void write_durably(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  write_durably(path, std::span(&bytes, 1));
}

void write_durably(const std::filesystem::path& path, std::span<const std::span<const std::byte>> pieces) {
  const std::filesystem::path part = path.string() + ".part";
  Descriptor file(part, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.good()) throw failure("cannot create the file", part, errno);
  Remover remover{part};
  const bool written = std::all_of(pieces.begin(), pieces.end(), [&](auto bytes) { return file.write(bytes); });
  if (!written || !file.sync()) throw failure("cannot write the file", part, errno);
  if (!file.close()) throw failure("cannot close the file", part, errno);  // some file systems tell of errors only here
  if (::rename(part.c_str(), path.c_str()) != 0) throw failure("cannot rename " + part.string() + " to", path, errno);
  remover.keep = true;
  const auto directory = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const Descriptor holder(directory, O_RDONLY | O_DIRECTORY);
  // The archive is whole already; a file system that cannot sync directories (EINVAL) is no reason to refuse it.
  if (holder.good() && !holder.sync() && errno != EINVAL) throw failure("cannot sync the directory", directory, errno);
}

}  // namespace palstudy
