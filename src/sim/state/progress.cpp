// SPDX-License-Identifier: MIT
#include "sim/state/progress.hpp"

#include <cmath>

#include "core/numbers.hpp"
#include "core/repeated_sum.hpp"

namespace palstudy {
Boundary boundary_at_or_after(double time_s, double round_s) {
  const double quotient = std::ceil(time_s / round_s);
  if (!(quotient < 0x1.0p62)) return never;
  auto k = static_cast<Boundary>(quotient);
  // The division is rounded; the product decides.
  while (k > 0 && boundary_s(k - 1, round_s) >= time_s) --k;
  while (boundary_s(k, round_s) < time_s) ++k;
  return k;
}

double Progress::work_at(const Segment& segment, double time_s) const {
  if (time_s <= segment.from_s) return segment.work;
  if (completion_ == Completion::exact) {
    return segment.work + (time_s - segment.from_s) / segment.seconds_per_iteration;
  }
  const Boundary first = boundary_after(segment.from_s, round_s_);
  if (boundary_s(first, round_s_) > time_s) {
    return segment.work + (time_s - segment.from_s) / segment.seconds_per_iteration;
  }
  // The last boundary at or before time_s.
  Boundary last = boundary_at_or_after(time_s, round_s_);
  if (boundary_s(last, round_s_) > time_s) --last;
  const double opening = boundary_s(first, round_s_) - segment.from_s;
  double work = segment.work + opening / segment.seconds_per_iteration;
  work = add_repeatedly(work, round_s_ / segment.seconds_per_iteration, last - first, infinity).value;
  const double rest = time_s - boundary_s(last, round_s_);
  return rest > 0 ? work + rest / segment.seconds_per_iteration : work;
}

double Progress::finish_s(const Segment& segment, double total) const {
  if (completion_ == Completion::exact) {
    return segment.from_s + (total - segment.work) * segment.seconds_per_iteration;
  }
  const Boundary first = boundary_after(segment.from_s, round_s_);
  const double opening = boundary_s(first, round_s_) - segment.from_s;
  const double work = segment.work + opening / segment.seconds_per_iteration;
  const auto sum = add_repeatedly(work, round_s_ / segment.seconds_per_iteration, never - first, total);
  if (sum.value < total) return infinity;
  return boundary_s(first + sum.taken, round_s_);
}

}  // namespace palstudy
