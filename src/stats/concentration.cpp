// SPDX-License-Identifier: MIT
#include "stats/concentration.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/numbers.hpp"

namespace palstudy {

Concentration held_by_largest(std::vector<double> values, double part) {
  const double under = std::ceil(part * static_cast<double>(values.size())) - 1;
  Concentration held{static_cast<std::size_t>(std::max(0.0, under)), values.size(), 0};
  const auto last = values.begin() + static_cast<std::ptrdiff_t>(held.few);
  std::partial_sort(values.begin(), last, values.end(), std::greater<>());
  const double largest = std::accumulate(values.begin(), last, 0.0);
  const double all = std::accumulate(last, values.end(), largest);
  if (all > 0) held.share = largest / all;
  return held;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? nan : std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace palstudy
