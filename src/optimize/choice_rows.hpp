// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace palstudy {

/// One choice of a row. It takes its amount from each of the resources first .. last - 1. Of separate capacities that
/// is one, {k, k + 1}. Of cumulative ones, where the choices with a threshold of at most v share capacity v, it is
/// those from its own threshold on, {v, K}.
struct Choice {
  std::int64_t cost;
  std::uint32_t amount;
  std::uint32_t first, last;  // first < last
};

/// That a row takes none of its choices.
inline constexpr std::uint32_t no_choice = std::numeric_limits<std::uint32_t>::max();

/// Rows of choices that are left to be decided about. The cost of no choice is 0 and all others are at most that.
struct ChoiceRows {
  std::vector<std::uint32_t> capacities;
  std::vector<Choice> choices;         // row by row
  std::vector<std::size_t> starts{0};  // the first choice of each row, and the end

  [[nodiscard]] std::size_t size() const { return starts.size() - 1; }
  [[nodiscard]] std::span<const Choice> row(std::size_t i) const {
    return {choices.data() + starts[i], choices.data() + starts[i + 1]};
  }
};

/// Whether what is left of the capacities is enough for a choice.
[[nodiscard]] inline bool has_room(const Choice& choice, const std::vector<std::uint32_t>& left) {
  return std::all_of(left.begin() + choice.first, left.begin() + choice.last,
                     [&](std::uint32_t units) { return units >= choice.amount; });
}

inline void take(const Choice& choice, std::vector<std::uint32_t>& left) {
  for (std::uint32_t k = choice.first; k < choice.last; ++k) left[k] -= choice.amount;
}

}  // namespace palstudy
