// SPDX-License-Identifier: MIT
#pragma once

// Included by .cpp files of this room alone.
#include <hdf5.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace palstudy::hdf5 {

/// XXH3-128 of bytes that come piece by piece: as fast as they are read, and no signature.
class ContentSum {
 public:
  ContentSum() { XXH3_128bits_reset(&sum_); }
  void bytes(const void* data, std::size_t size) { XXH3_128bits_update(&sum_, data, size); }
  void number(std::uint64_t value) { bytes(&value, sizeof value); }
  /// Its length, then its characters, so that no two sequences of texts give the same bytes.
  void text(std::string_view characters);
  /// 32 lower-case hex digits of what was added so far.
  [[nodiscard]] std::string hex() const;

 private:
  XXH3_state_t sum_;
};

/// How elements are stored, in words. Errors (data): of no type that this program writes.
[[nodiscard]] std::string type_words(hid_t type, const std::string& where);

/// Takes the values of a dataset, and begins with their type and number.
[[nodiscard]] ContentSum sum_of_values(hid_t type, std::size_t rows, const std::string& where);

}  // namespace palstudy::hdf5
