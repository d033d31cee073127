// SPDX-License-Identifier: MIT
#include "policy/capacity_profile.hpp"

#include <algorithm>

#include "core/numbers.hpp"

namespace palstudy {

std::size_t CapacityProfile::step_around(double time_s) const {
  const auto after = std::upper_bound(steps_.begin(), steps_.end(), time_s,
                                      [](double time, const Step& step) { return time < step.from_s; });
  return after == steps_.begin() ? 0 : static_cast<std::size_t>(after - steps_.begin()) - 1;
}

std::size_t CapacityProfile::step_at(double time_s) {
  const std::size_t around = step_around(time_s);
  if (time_s <= steps_[around].from_s) return around;
  steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(around) + 1, {time_s, steps_[around].free});
  return around + 1;
}

void CapacityProfile::add(double from_s, double to_s, std::int64_t gpus) {
  if (!(from_s < to_s)) return;
  const std::size_t first = step_at(from_s);
  const std::size_t end = to_s == infinity ? steps_.size() : step_at(to_s);
  for (std::size_t i = first; i < end; ++i) steps_[i].free += gpus;
}

std::int64_t CapacityProfile::free_at(double time_s) const { return steps_[step_around(time_s)].free; }

double CapacityProfile::earliest(std::int64_t gpus, double length_s, const Rounds& rounds) const {
  double start_s = rounds.start_s(steps_.front().from_s);
  std::size_t i = step_around(start_s);
  for (;;) {
    // The first step of the job's time that has too few GPUs; the job cannot start before the one after it.
    while (i < steps_.size() && steps_[i].from_s < start_s + length_s && steps_[i].free >= gpus) ++i;
    if (i == steps_.size() || steps_[i].from_s >= start_s + length_s) return start_s;
    while (i < steps_.size() && steps_[i].free < gpus) ++i;
    if (i == steps_.size()) return infinity;
    start_s = rounds.start_s(steps_[i].from_s);
    i = step_around(start_s);
  }
}

}  // namespace palstudy
