// SPDX-License-Identifier: MIT
#include "workload/synthetic/burst_distribution.hpp"

#include <algorithm>
#include <cmath>

namespace palstudy {

std::uint32_t BurstDistribution::scaled(double jobs) const {
  return static_cast<std::uint32_t>(std::max(2.0, std::round(jobs * scale_)));
}

double BurstDistribution::reaches(double k) const {
  const double first = numbers_.many_from, beyond = std::pow(first / (numbers_.many_to + 1.0), numbers_.tail);
  return (std::pow(first / k, numbers_.tail) - beyond) / (1 - beyond);
}

std::uint32_t BurstDistribution::size(double u) const {
  const double one = 1 - numbers_.few - numbers_.many;
  if (u < one) return 1;
  if (u < one + numbers_.few) {
    const double span = numbers_.few_to - numbers_.few_from + 1.0;
    const double step = std::floor((u - one) / numbers_.few * span);
    return scaled(std::min(numbers_.few_from + step, numbers_.few_to));
  }
  const double v = std::min((u - one - numbers_.few) / numbers_.many, 1.0);
  const double first = numbers_.many_from, beyond = std::pow(first / (numbers_.many_to + 1.0), numbers_.tail);
  const double k = std::floor(first * std::pow(1 - v * (1 - beyond), -1 / numbers_.tail));
  return scaled(std::min(k, numbers_.many_to));
}

double BurstDistribution::mean() const {
  double mean = 1 - numbers_.few - numbers_.many;
  for (double k = numbers_.few_from; numbers_.few > 0 && k <= numbers_.few_to; ++k) {
    mean += numbers_.few / (numbers_.few_to - numbers_.few_from + 1.0) * scaled(k);
  }
  for (double k = numbers_.many_from; numbers_.many > 0 && k <= numbers_.many_to; ++k) {
    mean += numbers_.many * (reaches(k) - reaches(k + 1)) * scaled(k);
  }
  return mean;
}

std::uint32_t BurstDistribution::largest() const {
  if (numbers_.many > 0) return scaled(numbers_.many_to);
  return numbers_.few > 0 ? scaled(numbers_.few_to) : 1;
}

}  // namespace palstudy
