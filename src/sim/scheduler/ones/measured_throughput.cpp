// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/measured_throughput.hpp"

#include <algorithm>
#include <cstddef>

#include "core/error.hpp"

namespace palstudy {

double MeasuredThroughput::Point::mean() const {
  const std::uint32_t n = std::min(measured, kept);
  double sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) sum += last[i];
  return sum / n;
}

void MeasuredThroughput::add(std::uint32_t gpus, double samples_per_s) {
  if (gpus == 0 || !(samples_per_s > 0)) throw fault("a measured throughput without GPUs or samples");
  auto place = std::ranges::lower_bound(points_, gpus, {}, &Point::gpus);
  if (place == points_.end() || place->gpus != gpus) {
    place = points_.insert(place, Point());
    place->gpus = gpus;
  }
  place->last[place->measured % kept] = samples_per_s;
  ++place->measured;
}

double MeasuredThroughput::at(std::uint32_t gpus) const {
  if (points_.empty()) return 0;
  const auto found = std::ranges::lower_bound(points_, gpus, {}, &Point::gpus);
  if (found != points_.end() && found->gpus == gpus) return found->mean();
  // The point above; beyond the largest count the last one, so that the line through the last two goes on.
  const auto above = found == points_.end() ? found - 1 : found;
  double low_gpus = 0, low = 0;
  if (above != points_.begin()) {
    low_gpus = (above - 1)->gpus;
    low = (above - 1)->mean();
  }
  const double high = above->mean();
  const double on_line = low + (high - low) * (gpus - low_gpus) / (above->gpus - low_gpus);
  return on_line > 0 || gpus == 0 ? on_line : high;
}

}  // namespace palstudy
