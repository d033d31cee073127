// SPDX-License-Identifier: MIT
#include "policy/power/forecast.hpp"

#include <algorithm>
#include <numeric>

namespace palstudy {

double mean_from(std::span<const double> values, std::size_t from, std::size_t count) {
  from = std::min(from, values.size());
  const auto part = values.subspan(from, std::min(count, values.size() - from));
  if (part.empty()) return 0.0;
  return std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(part.size());
}

}  // namespace palstudy
