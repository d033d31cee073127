// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace palstudy {

/// How much of a sum its largest values hold.
struct Concentration {
  std::size_t few = 0, values = 0;  ///< so many of the values are the largest
  double share = 0;                 ///< of the sum that they hold; 0 where there are none
};

/// Of the largest values, as many as there can be under `part` of all. Values are not negative.
[[nodiscard]] Concentration held_by_largest(std::vector<double> values, double part);

/// The geometric mean: the exponential of the mean of the logarithms. NaN of none.
[[nodiscard]] double geometric_mean(const std::vector<double>& values);

}  // namespace palstudy
