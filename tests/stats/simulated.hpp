// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>

#include "core/random.hpp"

namespace palstudy {

/// Errors of mean 0 and variance 1, for campaigns whose truth is known.
using Noise = std::function<double(RandomStream&)>;

inline double normal(RandomStream& random) {
  return std::sqrt(-2 * std::log(random.uniform_positive())) * std::cos(2 * std::numbers::pi * random.uniform());
}

/// A gamma variable of that shape, standardised: its skewness is 2 / sqrt(shape).
inline Noise gamma_noise(int shape) {
  return [shape](RandomStream& random) {
    double sum = 0;
    for (int i = 0; i < shape; ++i) sum -= std::log(random.uniform_positive());
    return (sum - shape) / std::sqrt(static_cast<double>(shape));
  };
}

inline constexpr int campaigns = 2000;

/// The share of campaigns in which `holds` is true; campaign c draws from a stream of its own.
inline double share_of_campaigns(std::uint64_t seed, int count, const std::function<bool(RandomStream&)>& holds) {
  int held = 0;
  for (int c = 0; c < count; ++c) {
    RandomStream random(seed, Purpose::resample, static_cast<std::uint64_t>(c));
    held += holds(random) ? 1 : 0;
  }
  return static_cast<double>(held) / count;
}

}  // namespace palstudy
