// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace palstudy {

/// `path.part`, as which a file is written until it is whole.
[[nodiscard]] std::filesystem::path part_beside(std::filesystem::path path);
/// The same of an output. If that is a link, the file is written where the link leads, and so is its part.
[[nodiscard]] std::filesystem::path part_of(const std::filesystem::path& output);

/// A whole file in its place or none: it is written as another one beside it, and `commit` fsyncs, renames, and fsyncs
/// the directory. Without `commit` that one is removed and what was at `path` stays. A file that a killed process left
/// of that other name is replaced; a link of that name is refused, so that nothing is written where it leads.
class DurableFile {
 public:
  /// An output, written as `part_of(output)`. Errors (data): an unwritable directory, something else than a file in its
  /// place.
  explicit DurableFile(const std::filesystem::path& output);
  /// A file in a folder of this program, written as `part`, which lies beside it. A link at `path` is replaced, not
  /// followed.
  DurableFile(std::filesystem::path path, std::filesystem::path part);
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

/// An output of these bytes.
void write_durably(const std::filesystem::path& output, std::span<const std::byte> bytes);
/// A file in a folder of this program, of these pieces one after the other.
void write_durably(const std::filesystem::path& path, const std::filesystem::path& part,
                   std::span<const std::span<const std::byte>> pieces);

}  // namespace palstudy
