// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace palstudy::test {

/// Whether every member of a value that nobody has set is 0, false or a null pointer: counts and sums begin there, and
/// what is added up would be wrong by what they begin with. Made in zeroed memory, so that the gaps are 0 as well.
template <class T>
[[nodiscard]] bool starts_at_zero() {
  static_assert(std::is_trivially_copyable_v<T>);
  alignas(T) std::array<std::byte, sizeof(T)> bytes = {};
  ::new (bytes.data()) T;
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace palstudy::test
