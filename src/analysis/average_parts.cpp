// SPDX-License-Identifier: MIT
#include "analysis/average_parts.hpp"

#include <algorithm>

namespace palstudy {

AverageParts average_parts(const std::map<std::uint32_t, std::vector<Pair>>& by_point, Comparing how) {
  how.by_bootstrap = false;  // the sign needs no 2,000 resamples of each part
  AverageParts result;
  bool gains = false, losses = false;
  for (const auto& [point, pairs] : by_point) {
    const Improvement part = improvement(pairs, how);
    gains = gains || part.low.value_or(part.mean) > 0;
    losses = losses || part.high.value_or(part.mean) < 0;
    result.least = result.parts == 0 ? part.mean : std::min(result.least, part.mean);
    result.most = result.parts == 0 ? part.mean : std::max(result.most, part.mean);
    ++result.parts;
  }
  result.opposite = gains && losses;
  return result;
}

}  // namespace palstudy
