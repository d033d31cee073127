// SPDX-License-Identifier: MIT
#include "sim/state/progress.hpp"

#include "core/numbers.hpp"
#include "core/repeated_sum.hpp"

namespace palstudy {
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
