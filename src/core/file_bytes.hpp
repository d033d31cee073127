// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace palstudy {

/// A file that is read in pieces, and closes itself. Its size is that of the moment at which it was opened.
class FileBytes {
 public:
  /// Nothing if there is no such file. Errors (data): cannot be opened.
  [[nodiscard]] static std::optional<FileBytes> open(const std::filesystem::path& path);
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&&) = delete;
  ~FileBytes();

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Fills `into` with what begins at `place`. Errors (data): the file ends before, or the disk cannot give it.
  void read(std::uint64_t place, std::span<std::byte> into) const;

 private:
  FileBytes(std::filesystem::path path, int descriptor, std::uint64_t size);
  std::filesystem::path path_;
  int descriptor_;
  std::uint64_t size_;
};

/// A file that is read from its beginning to its end: of what is small, many pieces come with one read.
class FileWindow {
 public:
  /// `file` must outlive it.
  explicit FileWindow(const FileBytes& file) : file_(file) {}
  /// So many bytes from `place` on, valid until the next call. Errors (data): as of `read`.
  [[nodiscard]] std::span<const std::byte> at(std::uint64_t place, std::uint64_t size);

 private:
  const FileBytes& file_;
  std::uint64_t begin_ = 0;  ///< the place of the first byte held
  std::vector<std::byte> held_;
};

/// Copies of files in the memory of this process: what one rank has read, on all ranks. Readers of inputs open
/// `where_read(path)` and name `path` in messages.

/// From here on `path` is read from a copy with this content. Where the system has no memory for one (memfd_create),
/// the file itself is read.
void add_file_copy(const std::filesystem::path& path, const std::string& content);

/// The copy of a file, or the path itself without one.
[[nodiscard]] std::filesystem::path where_read(const std::filesystem::path& path);

/// The paths in a folder that have copies, sorted.
[[nodiscard]] std::vector<std::filesystem::path> copies_in(const std::filesystem::path& folder);

}  // namespace palstudy
