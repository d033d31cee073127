// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "stats/paired.hpp"

namespace palstudy {

/// The gains that an average is made of: one for each point of the axes that are pooled, traces included.
struct AverageParts {
  std::size_t parts = 0;
  double least = 0, most = 0;  ///< gains of the worst and of the best part
  bool opposite =
      false;  ///< one part is a gain and another one a loss: by their intervals, by sign where they have none
};
[[nodiscard]] AverageParts average_parts(const std::map<std::uint32_t, std::vector<Pair>>& by_point, Comparing how);

}  // namespace palstudy
