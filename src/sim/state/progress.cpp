// SPDX-License-Identifier: MIT
#include "sim/state/progress.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/numbers.hpp"

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

double Progress::work_at(const Segment& segment, double time_s) const {
  if (time_s <= segment.from_s) return segment.work;
  if (completion_ == Completion::exact) {
    return segment.work + (time_s - segment.from_s) / segment.seconds_per_iteration;
  }
  const Boundary first = rounds_.after(segment.from_s);
  if (rounds_.time_s(first) > time_s) {
    return segment.work + (time_s - segment.from_s) / segment.seconds_per_iteration;
  }
  const Boundary last = rounds_.at_or_before(time_s);
  const double opening = rounds_.time_s(first) - segment.from_s;
  double work = segment.work + opening / segment.seconds_per_iteration;
  work = add_repeatedly(work, rounds_.round_s() / segment.seconds_per_iteration, last - first, infinity).value;
  const double rest = time_s - rounds_.time_s(last);
  return rest > 0 ? work + rest / segment.seconds_per_iteration : work;
}

double Progress::finish_s(const Segment& segment, double total) const {
  if (completion_ == Completion::exact) {
    return segment.from_s + (total - segment.work) * segment.seconds_per_iteration;
  }
  const Boundary first = rounds_.after(segment.from_s);
  const double opening = rounds_.time_s(first) - segment.from_s;
  const double work = segment.work + opening / segment.seconds_per_iteration;
  const auto sum = add_repeatedly(work, rounds_.round_s() / segment.seconds_per_iteration, never - first, total);
  if (sum.value < total) return infinity;
  return rounds_.time_s(first + sum.taken);
}

}  // namespace palstudy
