// SPDX-License-Identifier: MIT
#include "optimize/linear_program.hpp"

#include <coin/Clp_C_Interface.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"

namespace palstudy {

namespace {

constexpr double tolerance = 1e-9;
constexpr int no_perturbation = 100, proven_optimal = 0, proven_infeasible = 1;

}  // namespace

/// The program by column, and the solver's copy of it from the first solution on. Clp minimizes, so it has -c.
struct LinearProgram::Arrays {
  struct DeleteModel {
    void operator()(Clp_Simplex* solver) const { Clp_deleteModel(solver); }
  };
  struct Term {
    std::uint32_t row;
    double coefficient;
  };
  std::vector<std::vector<Term>> columns;
  std::vector<double> least, most, cost;     // by variable
  std::vector<double> row_lower, row_upper;  // by row
  std::unique_ptr<Clp_Simplex, DeleteModel> model;
  std::uint32_t most_primal_iterations = 0;

  void load();
  [[nodiscard]] double dual_objective(const double* price) const;
};

void LinearProgram::Arrays::load() {
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> rows;
  std::vector<double> elements;
  for (const auto& column : columns) {
    for (const Term& term : column) {
      rows.push_back(static_cast<int>(term.row));
      elements.push_back(term.coefficient);
    }
    starts.push_back(static_cast<CoinBigIndex>(rows.size()));
  }
  model.reset(Clp_newModel());
  Clp_setLogLevel(model.get(), 0);
  Clp_setPerturbation(model.get(), no_perturbation);
  Clp_setPrimalTolerance(model.get(), tolerance);
  Clp_setDualTolerance(model.get(), tolerance);
  Clp_loadProblem(model.get(), static_cast<int>(columns.size()), static_cast<int>(row_lower.size()), starts.data(),
                  rows.data(), elements.data(), least.data(), most.data(), cost.data(), row_lower.data(),
                  row_upper.data());
}

/// Of the minimization. A price of the wrong sign for an infinite bound is the rounding of the solver and counts as 0.
double LinearProgram::Arrays::dual_objective(const double* price) const {
  double sum = 0;
  const auto add = [&](double value, double lower, double upper) {
    const double bound = value > 0 ? lower : upper;
    if (value != 0 && std::isfinite(bound)) sum += value * bound;
  };
  for (std::size_t row = 0; row < row_lower.size(); ++row) add(price[row], row_lower[row], row_upper[row]);
  for (std::size_t variable = 0; variable < columns.size(); ++variable) {
    double reduced = cost[variable];
    for (const Term& term : columns[variable]) reduced -= term.coefficient * price[term.row];
    add(reduced, least[variable], most[variable]);
  }
  return sum;
}

LinearProgram::LinearProgram(std::uint32_t most_primal_iterations) : arrays_(std::make_unique<Arrays>()) {
  arrays_->most_primal_iterations = most_primal_iterations;
}
LinearProgram::~LinearProgram() = default;

std::uint32_t LinearProgram::add_variable(double upper) {
  arrays_->columns.emplace_back();
  arrays_->least.push_back(0);
  arrays_->most.push_back(upper);
  arrays_->cost.push_back(0);
  return static_cast<std::uint32_t>(arrays_->columns.size() - 1);
}

std::uint32_t LinearProgram::add_row(double lower, double upper, std::span<const LinearTerm> terms) {
  const auto row = static_cast<std::uint32_t>(arrays_->row_lower.size());
  arrays_->row_lower.push_back(lower);
  arrays_->row_upper.push_back(upper);
  for (const LinearTerm& term : terms) arrays_->columns[term.variable].push_back({row, term.coefficient});
  return row;
}

void LinearProgram::set_objective(std::vector<double> coefficients) {
  coefficients.resize(arrays_->columns.size());
  for (double& value : coefficients) value = -value;
  arrays_->cost = std::move(coefficients);
  if (arrays_->model) Clp_chgObjCoefficients(arrays_->model.get(), arrays_->cost.data());
}

void LinearProgram::set_row(std::uint32_t row, double lower, double upper) {
  arrays_->row_lower[row] = lower;
  arrays_->row_upper[row] = upper;
  if (!arrays_->model) return;
  Clp_chgRowLower(arrays_->model.get(), arrays_->row_lower.data());
  Clp_chgRowUpper(arrays_->model.get(), arrays_->row_upper.data());
}

void LinearProgram::set_least(std::uint32_t variable, double least) {
  arrays_->least[variable] = least;
  if (arrays_->model) Clp_chgColumnLower(arrays_->model.get(), arrays_->least.data());
}

void LinearProgram::set_coefficient(std::uint32_t row, std::uint32_t variable, double coefficient) {
  auto& column = arrays_->columns[variable];
  const auto term = std::find_if(column.begin(), column.end(), [&](const auto& t) { return t.row == row; });
  if (term == column.end()) throw fault("a coefficient of a linear program that is not there");
  term->coefficient = coefficient;
  if (arrays_->model) {
    Clp_modifyCoefficient(arrays_->model.get(), static_cast<int>(row), static_cast<int>(variable), coefficient, true);
  }
}

LinearSolution LinearProgram::maximize() {
  Arrays& a = *arrays_;
  if (!a.model) a.load();
  Clp_Simplex* model = a.model.get();
  LinearSolution solution;
  const auto by = [&](int (*method)(Clp_Simplex*, int), std::uint32_t most = std::numeric_limits<int>::max()) {
    Clp_setMaximumIterations(model, static_cast<int>(most));
    method(model, 0);
    solution.iterations += static_cast<std::uint32_t>(Clp_numberIterations(model));
    return Clp_status(model);
  };
  int status = by(Clp_primal, a.most_primal_iterations);
  if (status != proven_optimal) {  // the old basis may be to blame
    a.load();
    model = a.model.get();
    status = by(Clp_primal, a.most_primal_iterations);
  }
  if (status != proven_optimal && status != proven_infeasible) {  // numbers on which the primal method gives up
    a.load();
    model = a.model.get();
    status = by(Clp_dual);
  }
  if (status == proven_infeasible) return solution;
  if (status != proven_optimal) throw fault(fmt::format("a linear program was not solved: status {} of Clp", status));
  solution.feasible = true;
  const double* values = Clp_primalColumnSolution(model);
  solution.values.assign(values, values + a.columns.size());
  for (std::size_t i = 0; i < a.columns.size(); ++i) solution.objective -= a.cost[i] * values[i];
  const double* price = Clp_dualRowSolution(model);
  solution.dual_objective = -a.dual_objective(price);
  solution.prices.resize(a.row_lower.size());
  std::transform(price, price + a.row_lower.size(), solution.prices.begin(), [](double p) { return std::abs(p); });
  return solution;
}

}  // namespace palstudy
