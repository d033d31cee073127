// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace palstudy {

/// The steps of a failing history without those that it fails without: ever shorter pieces are left out as long as
/// `fails(steps)` stays true (the greedy half of Zeller and Hildebrandt's delta debugging, TSE 28(2), 2002).
template <class Step, class Fails>
std::vector<Step> shrink(std::vector<Step> steps, Fails fails) {
  for (std::size_t piece = std::max<std::size_t>(1, steps.size() / 2);;) {
    bool shorter = false;
    for (std::size_t first = 0; first < steps.size();) {
      const auto begin = steps.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = steps.begin() + static_cast<std::ptrdiff_t>(std::min(steps.size(), first + piece));
      std::vector<Step> rest(steps.begin(), begin);
      rest.insert(rest.end(), end, steps.end());
      if (fails(rest)) {
        steps = std::move(rest);
        shorter = true;
      } else {
        first += piece;
      }
    }
    if (piece == 1 && !shorter) return steps;
    piece = std::max<std::size_t>(1, piece / 2);
  }
}

}  // namespace palstudy
