// SPDX-License-Identifier: MIT
#include "core/repeated_sum.hpp"

#include <algorithm>
#include <bit>

namespace palstudy {
namespace {

/// The first power of two above x > 0: its exponent, one larger, over no fraction. Below the normal numbers the least
/// of those, up to which doubles lie equally far apart.
double binade_top(double x) {
  constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000, one = 0x0010'0000'0000'0000;
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(x) & exponent) + one);
}

}  // namespace

RepeatedSum add_repeatedly(double x, double increment, std::int64_t limit, double target) {
  std::int64_t taken = 0;
  while (taken < limit && x < target) {
    const double one = x + increment;
    if (one == x) return {x, limit};  // too small to be felt: x stays for good
    const double two = one + increment;
    const double step = two - one;
    const double bound = std::min(binade_top(one), target);
    // `jump` further steps stay under `bound`, where each adds `step` exactly; one is kept back for rounding here.
    const double room = (bound - one) / step - 2.0;
    x = one;
    ++taken;
    if (room < 1.0 || two >= bound) continue;
    const double three = two + increment;
    if (three >= bound || three - two != step) continue;
    const std::int64_t jump = std::min(limit - taken, static_cast<std::int64_t>(std::min(room, 0x1.0p52)));
    x += static_cast<double>(jump) * step;
    taken += jump;
  }
  return {x, taken};
}

}  // namespace palstudy
