// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

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

}  // namespace palstudy
