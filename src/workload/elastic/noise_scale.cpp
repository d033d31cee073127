// SPDX-License-Identifier: MIT
#include "workload/elastic/noise_scale.hpp"

#include <algorithm>
#include <cmath>

namespace palstudy {

double NoiseScale::at(double share) const {
  if (knots.empty()) return 0;
  const auto after = std::ranges::find_if(knots, [&](const NoiseKnot& knot) { return knot.share > share; });
  if (after == knots.begin()) return knots.front().samples;
  const NoiseKnot& before = *(after - 1);
  if (after == knots.end()) return before.samples;
  const double part = (share - before.share) / (after->share - before.share);
  return std::pow(before.samples, 1 - part) * std::pow(after->samples, part);
}

double efficiency(double noise, double initial, double batch) { return (noise + initial) / (noise + batch); }

double gain(double noise, double initial, double batch) {
  return efficiency(noise, initial, batch) * (batch / initial);
}

}  // namespace palstudy
