// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "optimize/linear_program.hpp"

namespace palstudy {

/// When the search may end. All are counts or values, never times, so that every machine and rank has the same answer.
struct IntegerLimits {
  std::uint32_t nodes = 1000;                                  ///< of the tree of the search, at most
  double gap = 0;                                              ///< values that no others exceed by more are good enough
  double at_least = -std::numeric_limits<double>::infinity();  ///< values with a smaller objective are of no use
};

/// What an integer program was solved to.
struct IntegerSolution {
  bool found = false;    ///< false: no values that satisfy the rows and are of use were found
  double objective = 0;  ///< of `values`
  double bound = 0;      ///< no feasible values have a larger objective but for rounding, or none reach `at_least`
  std::vector<double> values;  ///< by variable
};

/// Maximizes c x subject to lower <= A x <= upper, where every x is 0 or 1, by Cbc (COIN-OR) in one thread: branch and
/// bound with the cuts of Gomory (1958).
class IntegerProgram {
 public:
  /// Variables and rows are numbered from 0.
  std::uint32_t add_variable(double objective);
  void add_row(double lower, double upper, std::span<const LinearTerm> terms);

  /// Errors (fault): a program on which the solver gives up.
  [[nodiscard]] IntegerSolution maximize(const IntegerLimits& limits = {}) const;

 private:
  std::vector<double> objective_;  // by variable
  // The terms, row by row, and the bounds of the rows.
  std::vector<int> row_of_, variable_of_;
  std::vector<double> coefficients_, lower_, upper_;
};

}  // namespace palstudy
