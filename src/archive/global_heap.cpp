// SPDX-License-Identifier: MIT
#include "archive/global_heap.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/error.hpp"

namespace palstudy::hdf5 {
namespace {

/// The bytes of a file, as long as it lives.
class Mapped {
 public:
  explicit Mapped(const std::filesystem::path& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat info {};
    if (fd_ < 0 || ::fstat(fd_, &info) != 0) return;
    size_ = static_cast<std::size_t>(info.st_size);
    if (size_ > 0) bytes_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd_, 0);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  ~Mapped() {
    if (bytes_ != MAP_FAILED) ::munmap(bytes_, size_);
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] bool good() const { return bytes_ != MAP_FAILED; }
  [[nodiscard]] std::string_view view() const { return {static_cast<const char*>(bytes_), size_}; }

 private:
  int fd_;
  std::size_t size_ = 0;
  void* bytes_ = MAP_FAILED;
};

template <class T>
T number(std::string_view bytes, std::size_t at) {
  T value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

constexpr std::size_t head_bytes = 16;  // signature, version and padding, size of the heap; or head of an object
constexpr std::size_t reference_bytes = 8;

/// Whether a heap is nothing but references and then free space; `bytes` begin with its signature.
bool sound(std::string_view bytes) {
  const auto size = number<std::uint64_t>(bytes, 8);
  if (size > bytes.size()) return false;
  std::size_t at = head_bytes;
  while (at + head_bytes <= size) {
    const auto index = number<std::uint16_t>(bytes, at);
    const auto length = number<std::uint64_t>(bytes, at + 8);
    if (index == 0) return length == size - at;  // free space, with its own head counted
    if (length != reference_bytes) return false;
    at += head_bytes + reference_bytes;
  }
  return at <= size;
}

}  // namespace

void check_global_heaps(const std::filesystem::path& file) {
  constexpr std::string_view signature("GCOL\1\0\0\0", 8);  // its version is 1 and three bytes are padding
  const Mapped mapped(file);
  if (!mapped.good()) throw data_error("cannot be read", file.string(), "Check that it is a file that you may read.");
  const std::string_view all = mapped.view();
  for (std::size_t at = all.find(signature); at != std::string_view::npos; at = all.find(signature, at + 1)) {
    if (at + head_bytes <= all.size() && sound(all.substr(at))) continue;
    throw data_error("the references of columns to their dimension scales are damaged",
                     file.string() + ": byte " + std::to_string(at), "Restore the file from a copy.");
  }
}

}  // namespace palstudy::hdf5
