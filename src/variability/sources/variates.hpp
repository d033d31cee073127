// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace palstudy {

/// Uniform in (0, 1), from one random word.
[[nodiscard]] inline double uniform_of(std::uint32_t word) { return (word + 0.5) * 0x1.0p-32; }

/// Uniform in [0, n) from one random word; off by less than n / 2^32 in any probability.
[[nodiscard]] inline std::uint32_t below_of(std::uint32_t word, std::uint32_t n) {
  return static_cast<std::uint32_t>((std::uint64_t{word} * n) >> 32);
}

/// Two independent standard normals from two random words (Box & Muller 1958); none is beyond 6.8.
[[nodiscard]] inline std::array<double, 2> normals_of(std::uint32_t first, std::uint32_t second) {
  const double radius = std::sqrt(-2 * std::log(uniform_of(first)));
  const double angle = 2 * std::numbers::pi * uniform_of(second);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// The p-quantile of Student's t with 4 degrees of freedom, in closed form (Shaw, J. Comp. Finance 9(4), 2006).
/// Its standard deviation is sqrt(2), its robust one `robust_sd_of_t4`.
[[nodiscard]] inline double student_t4(double p) {
  const double root = std::sqrt(4 * p * (1 - p));
  const double q = std::cos(std::acos(root) / 3) / root;
  return std::copysign(2 * std::sqrt(std::max(0.0, q - 1)), p - 0.5);
}
/// 1.4826 x its upper quartile, 0.740697.
inline constexpr double robust_sd_of_t4 = 1.098158;

}  // namespace palstudy
