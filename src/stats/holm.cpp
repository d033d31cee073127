// SPDX-License-Identifier: MIT
#include "stats/holm.hpp"

#include <algorithm>
#include <numeric>

namespace palstudy {

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> corrected(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double p = p_values[order[i]] * static_cast<double>(order.size() - i);
    largest = std::min(1.0, std::max(largest, p));
    corrected[order[i]] = largest;
  }
  return corrected;
}

}  // namespace palstudy
