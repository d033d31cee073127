// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace palstudy {

static_assert(std::endian::native == std::endian::little, "values are stored as they lie in memory");

/// Bytes of what goes into a frame: numbers as they lie in memory, a text as its length (32 bits) and its bytes.
class ByteWriter {
 public:
  void bytes(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    out_.insert(out_.end(), begin, begin + size);
  }
  template <class T>
  void value(T number) {
    bytes(&number, sizeof number);
  }
  void text(std::string_view text) {
    value(static_cast<std::uint32_t>(text.size()));
    bytes(text.data(), text.size());
  }
  /// Without their count.
  template <class T>
  void array(const std::vector<T>& values) {
    bytes(values.data(), values.size() * sizeof(T));
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(out_); }

 private:
  std::vector<std::byte> out_;
};

/// Reads them back. Every count is held against the bytes that are left before anything is allocated. After the first
/// thing that does not fit, `problem` says what, and all reads give zeros.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}
  [[nodiscard]] bool good() const { return problem_.empty(); }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::size_t left() const { return left_.size(); }
  void fail(const char* why) {
    if (problem_.empty()) problem_ = why;
    left_ = {};
  }
  /// Whether `count` things of at least `size` bytes can be there.
  bool fits(std::uint64_t count, std::size_t size) {
    if (good() && count <= left_.size() / size) return true;
    fail("it ends before its last column");
    return false;
  }
  template <class T>
  T value() {
    T number{};
    if (fits(1, sizeof number)) take(&number, sizeof number);
    return number;
  }
  template <class T>
  std::vector<T> array(std::uint64_t count) {
    if (!fits(count, sizeof(T))) return {};
    std::vector<T> all(static_cast<std::size_t>(count));
    take(all.data(), all.size() * sizeof(T));
    return all;
  }
  std::string text() {
    const auto size = value<std::uint32_t>();
    if (!fits(size, 1)) return {};
    std::string all(size, '\0');
    take(all.data(), size);
    return all;
  }

 private:
  void take(void* to, std::size_t size) {
    if (size > 0) std::memcpy(to, left_.data(), size);
    left_ = left_.subspan(size);
  }
  std::span<const std::byte> left_;
  std::string problem_;
};

}  // namespace palstudy
