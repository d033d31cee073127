// SPDX-License-Identifier: MIT
#include "stats/median.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace palstudy {

double median(std::vector<double> values) {
  if (values.empty()) throw fault("the median of nothing");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

}  // namespace palstudy
