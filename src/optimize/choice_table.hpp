// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimize/choice_rows.hpp"

namespace palstudy {

/// The multiple-choice knapsack by dynamic programming (Dudzinski and Walukiewicz, EJOR 1987) over what is left of each
/// capacity: f_j[c] = min(f_{j+1}[c], min_i cost_ji + f_{j+1}[c - need_i]). A pass from the first row on then finds the
/// optimum that comes first in the order of rows, low choices first and none last.
class ChoiceTable {
 public:
  /// Whether (rows + 1) tables of all that can be left have at most so many entries, and all sums of costs fit in one.
  [[nodiscard]] bool fits(const ChoiceRows& rows, std::size_t entries);
  /// The choice of each row, by its place in the row; only if `fits` of these rows was true just before.
  void solve(const ChoiceRows& rows, std::vector<std::uint32_t>& chosen);

 private:
  void add_choice(const Choice& choice, std::size_t shift, std::uint32_t dimension, std::size_t state);

  std::vector<std::uint32_t> most_;    // that can be left, by resource
  std::vector<std::size_t> strides_;   // of a resource's unit in a table
  std::vector<std::int32_t> entries_;  // table after table; the one after the last row comes first
  std::size_t states_ = 0;             // entries of a table
  const std::int32_t* later_ = nullptr;
  std::int32_t* table_ = nullptr;
};

}  // namespace palstudy
