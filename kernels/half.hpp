// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace palstudy {

/// The upper half of a float, rounded to the nearest, ties to even. Finite values only.
[[nodiscard]] inline std::uint16_t to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}
[[nodiscard]] inline float from_bf16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

/// IEEE binary16, rounded to the nearest, ties to even. Magnitudes from 2^-14 to 65504, and zero.
[[nodiscard]] inline std::uint16_t to_fp16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  if (magnitude < 0x38800000U) return static_cast<std::uint16_t>(sign);  // below 2^-14: flushed to zero
  const std::uint32_t rounded = magnitude + 0xfffU + ((magnitude >> 13) & 1U);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13));
}
[[nodiscard]] inline float from_fp16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f, fraction = bits & 0x3ff;
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                        : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

}  // namespace palstudy
