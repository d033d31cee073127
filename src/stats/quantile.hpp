// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace palstudy {

/// The p-quantile of ascending values, of which there is at least one, linear between them.
[[nodiscard]] inline double sorted_quantile(std::span<const double> ascending, double p) {
  const double place = p * static_cast<double>(ascending.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), ascending.size() - 1);
  const auto above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (place - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

}  // namespace palstudy
