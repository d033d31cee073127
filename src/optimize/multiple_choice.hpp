// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimize/choice_rows.hpp"
#include "optimize/choice_table.hpp"

namespace palstudy {

/// How a program of choices is solved. Nothing is limited by time, so that every machine and rank has the same answer.
struct MultipleChoiceLimits {
  /// Of the dynamic program, 4 bytes each: (rows + 1) x the product of (capacity + 1). Beyond, the search is used.
  std::size_t table_entries = std::size_t{1} << 25;
  double relative_gap = 5e-4;          ///< the search ends once the objective is so near to the bound
  std::uint32_t nodes = 200;           ///< of the search, at most, in each of its two parts
  std::uint32_t first_choices = 1000;  ///< beside one of each row, that the first part looks at; the second at all
};

/// What a program of choices was solved to.
struct MultipleChoiceSolution {
  std::vector<std::uint32_t> choices;  ///< of each row, or `no_choice`
  std::int64_t objective = 0;
  std::int64_t bound = 0;  ///< nothing costs less; equal to the objective if that is proved to be the optimum
};

/// The multiple-choice knapsack with several capacities: each row takes one of its choices or none, for the least sum
/// of costs. As long as the tables of the dynamic program are small enough the solution is the optimum, and among
/// optima the first in the order of rows, low choices first and none last. Otherwise (`ChoiceSearch`) it is within a
/// stated bound, and of several optima it may be any, though always the same one.
class MultipleChoice {
 public:
  /// Starts anew, without rows.
  void begin(std::span<const std::uint32_t> capacities);
  /// A row may be pinned to one of its choices or to `no_choice`. Errors (fault): a choice without resources, of
  /// resources that there are not, or pinned beyond the capacities.
  void add_row(std::span<const Choice> choices, std::int64_t cost_of_none = 0,
               std::optional<std::uint32_t> pinned = std::nullopt);
  /// Of all rows since `begin`. The memory of earlier solutions is used again.
  [[nodiscard]] const MultipleChoiceSolution& solve(const MultipleChoiceLimits& limits = {});

 private:
  [[nodiscard]] static bool is_useless(std::span<const Choice> choices, std::size_t i, std::int64_t cost_of_none);

  ChoiceRows open_;                    // without pinned rows and useless choices
  std::vector<std::uint32_t> number_;  // of each open choice in its row as given
  std::vector<std::size_t> row_;       // of each open row among all
  std::int64_t fixed_ = 0;             // the cost of pinned choices, and of none in all other rows
  std::vector<std::uint32_t> chosen_;  // of the open rows
  ChoiceTable table_;
  MultipleChoiceSolution solution_;
};

}  // namespace palstudy
