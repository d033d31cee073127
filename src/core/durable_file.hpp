// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace palstudy {

/// A whole file in its place or none: it is written as `path.part` beside it, and `commit` fsyncs, renames, and fsyncs
/// the directory. Without `commit` the part is removed and what was at `path` stays.
class DurableFile {
 public:
  /// Errors (data): an unwritable directory.
  explicit DurableFile(std::filesystem::path path);
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;
  ~DurableFile();

  /// The descriptor of the part, for reading and writing; closed by `commit`.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] const std::filesystem::path& part() const { return part_; }
  /// Errors (data): a full disk.
  void append(std::span<const std::byte> bytes);
  /// Errors (data): the disk lost data, or does not rename.
  void commit();

 private:
  std::filesystem::path path_, part_;
  int descriptor_;
  bool committed_ = false;
};

/// Such a file of these bytes.
void write_durably(const std::filesystem::path& path, std::span<const std::byte> bytes);
/// Writes pieces one after the other.
void write_durably(const std::filesystem::path& path, std::span<const std::span<const std::byte>> pieces);

}  // namespace palstudy
