// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace palstudy {

/// Arithmetic on eight bytes of a 64-bit word at once. It makes the counts of eight trees without a branch on any
/// processor (a plain x86-64 has no popcount instruction).
using Lanes = std::uint64_t;

inline constexpr Lanes lane_ones = 0x0101010101010101;

/// `byte` in every lane.
[[nodiscard]] inline Lanes spread(std::uint32_t byte) { return lane_ones * (byte & 0xff); }

/// The number of ones in each lane.
[[nodiscard]] inline Lanes lane_popcounts(Lanes x) {
  x -= (x >> 1) & 0x5555555555555555;
  x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333);
  return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
}

/// Lane i becomes the sum of lanes 0..i; no sum may exceed 255.
[[nodiscard]] inline Lanes lane_prefix_sums(Lanes x) { return x * lane_ones; }

/// 1 in each lane in which two words differ, 0 in the others; lanes must be under 129.
[[nodiscard]] inline Lanes lanes_differing(Lanes a, Lanes b) { return (((a ^ b) + 127 * lane_ones) >> 7) & lane_ones; }

/// 1 in each lane that exceeds `limit`, 0 in the others; lanes must be under 129, as `limit`.
[[nodiscard]] inline Lanes lanes_over(Lanes x, std::uint32_t limit) {
  return ((x + (127 - limit) * lane_ones) >> 7) & lane_ones;
}

[[nodiscard]] inline std::uint32_t lane(Lanes x, std::uint32_t i) {
  return static_cast<std::uint32_t>(x >> (8 * i)) & 0xff;
}

/// The number of GPUs of a mask of any width.
[[nodiscard]] inline std::uint32_t gpus_in(std::uint32_t mask) {
  mask -= (mask >> 1) & 0x55555555;
  mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333);
  return (((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101) >> 24;
}

}  // namespace palstudy
