// SPDX-License-Identifier: MIT
#include "stats/stopping.hpp"

#include <algorithm>
#include <cmath>

namespace palstudy {

bool narrow_enough(const Improvement& improvement, double relative_half_width) {
  if (!improvement.ratio_low) return improvement.seeds_change_nothing;
  return std::log(*improvement.ratio_high / *improvement.ratio_low) <= 2 * std::log1p(relative_half_width);
}

std::optional<std::size_t> next_look(const std::vector<std::size_t>& looks, std::size_t seeds) {
  const auto next = std::upper_bound(looks.begin(), looks.end(), seeds);
  return next == looks.end() ? std::nullopt : std::optional(*next);
}

}  // namespace palstudy
