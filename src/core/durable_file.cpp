// SPDX-License-Identifier: MIT
#include "core/durable_file.hpp"

#include <fcntl.h>
#include <unistd.h>

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
                    "make room or give another place, and write it again");
}

/// So that the new name outlives a lost machine. The file is whole already: a file system that cannot sync directories
/// (EINVAL) is no reason to refuse it.
void sync_directory(const std::filesystem::path& file) {
  const auto directory = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error != 0 && error != EINVAL) throw failure("cannot sync the directory", directory, error);
}

/// The file that a link stands for, which is written instead of putting a file in the place of the link.
std::filesystem::path behind_links(std::filesystem::path path) {
  constexpr int most_links = 40;  // as many as Linux follows
  std::error_code failed;
  for (int links = 0; links < most_links && std::filesystem::is_symlink(path, failed); ++links) {
    const auto target = std::filesystem::read_symlink(path, failed);
    if (failed) break;
    path = path.parent_path() / target;  // an absolute one replaces it
  }
  return path;
}

/// A new file of that name, in place of one that a killed process left. A link is neither followed nor removed.
int create_part(const std::filesystem::path& part) {
  std::error_code ignored;
  const auto there = std::filesystem::symlink_status(part, ignored).type();
  if (there == std::filesystem::file_type::symlink) {
    throw data_error("is a link, and a file is to be written there", part.string(), "move it away");
  }
  if (there == std::filesystem::file_type::regular) (void)::unlink(part.c_str());
  const int descriptor = ::open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) throw failure("cannot create the file", part, errno);
  return descriptor;
}

}  // namespace

std::filesystem::path part_beside(std::filesystem::path path) {
  path += ".part";
  return path;
}

std::filesystem::path part_of(const std::filesystem::path& output) { return part_beside(behind_links(output)); }

DurableFile::DurableFile(const std::filesystem::path& output) : DurableFile(behind_links(output), part_of(output)) {}

DurableFile::DurableFile(std::filesystem::path path, std::filesystem::path part)
    : path_(std::move(path)), part_(std::move(part)), descriptor_(create_part(part_)) {}

DurableFile::~DurableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(part_, ignored);
}

void DurableFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw failure("cannot write the file", part_, written < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void DurableFile::commit() {
  if (::fsync(descriptor_) != 0) throw failure("cannot write the file", part_, errno);
  // Some file systems report errors only here.
  if (::close(std::exchange(descriptor_, -1)) != 0) throw failure("cannot close the file", part_, errno);
  if (::rename(part_.c_str(), path_.c_str()) != 0) {
    throw failure("cannot rename " + part_.string() + " to", path_, errno);
  }
  committed_ = true;
  sync_directory(path_);
}

void write_durably(const std::filesystem::path& output, std::span<const std::byte> bytes) {
  DurableFile file(output);
  file.append(bytes);
  file.commit();
}

void write_durably(const std::filesystem::path& path, const std::filesystem::path& part,
                   std::span<const std::span<const std::byte>> pieces) {
  DurableFile file(path, part);
  for (const auto bytes : pieces) file.append(bytes);
  file.commit();
}

}  // namespace palstudy
