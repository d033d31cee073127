// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace palstudy {

/// A coefficient of a row.
struct LinearTerm {
  std::uint32_t variable;
  double coefficient;
};

/// What a linear program was solved to. The dual objective is computed from the row prices alone, so that the gap does
/// not depend on what the solver claims.
struct LinearSolution {
  bool feasible = false;         ///< false: no values satisfy the rows; nothing else is set but `iterations`
  double objective = 0;          ///< of `values`
  double dual_objective = 0;     ///< no feasible values have a larger objective
  std::uint32_t iterations = 0;  ///< of the simplex method
  std::vector<double> values;    ///< by variable
  std::vector<double> prices;    ///< by row: the growth of the objective per unit by which a bound is relaxed, >= 0
};

/// Maximizes c x subject to lower <= A x <= upper and 0 <= x <= upper, by the primal simplex method of Clp in one
/// thread: the same calls give the same solution. Solved again after a change, it continues from the last basis. Where
/// that gives up it starts from no basis, and where that gives up too, by the dual simplex method.
class LinearProgram {
 public:
  static constexpr double unbounded = std::numeric_limits<double>::infinity();

  /// The primal method gives up after so many iterations, if not before; one that cycles would have no end.
  explicit LinearProgram(std::uint32_t most_primal_iterations = 10'000'000);
  ~LinearProgram();

  /// Variables and rows are numbered from 0. None can be added after the first solution.
  std::uint32_t add_variable(double upper = unbounded);
  std::uint32_t add_row(double lower, double upper, std::span<const LinearTerm> terms);

  /// By variable, those not given: 0.
  void set_objective(std::vector<double> coefficients);
  void set_row(std::uint32_t row, double lower, double upper);
  void set_least(std::uint32_t variable, double least);
  /// Changes a coefficient of a row that has a term of this variable.
  void set_coefficient(std::uint32_t row, std::uint32_t variable, double coefficient);

  /// Errors (fault): an unbounded objective, or a program on which the solver gives up.
  [[nodiscard]] LinearSolution maximize();

 private:
  struct Arrays;
  std::unique_ptr<Arrays> arrays_;
};

}  // namespace palstudy
