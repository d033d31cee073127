// SPDX-License-Identifier: MIT
#include "optimize/integer_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <coin/CbcHeuristic.hpp>
#include <coin/CbcModel.hpp>
#include <coin/CglGomory.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <coin/OsiClpSolverInterface.hpp>

#include "core/error.hpp"

namespace palstudy {

namespace {

/// Of `CbcModel::status`, and the frequency at which cuts are made wherever they pay.
constexpr int search_ended = 0, search_stopped = 1, where_it_pays = -1;

}  // namespace

std::uint32_t IntegerProgram::add_variable(double objective) {
  objective_.push_back(objective);
  return static_cast<std::uint32_t>(objective_.size() - 1);
}

void IntegerProgram::add_row(double lower, double upper, std::span<const LinearTerm> terms) {
  for (const LinearTerm& term : terms) {
    row_of_.push_back(static_cast<int>(lower_.size()));
    variable_of_.push_back(static_cast<int>(term.variable));
    coefficients_.push_back(term.coefficient);
  }
  lower_.push_back(lower);
  upper_.push_back(upper);
}

IntegerSolution IntegerProgram::maximize(const IntegerLimits& limits) const {
  const std::size_t variables = objective_.size();
  CoinPackedMatrix matrix(true, row_of_.data(), variable_of_.data(), coefficients_.data(),
                          static_cast<CoinBigIndex>(coefficients_.size()));
  matrix.setDimensions(static_cast<int>(lower_.size()), static_cast<int>(variables));  // with those that no term names
  std::vector<double> cost(variables);
  std::transform(objective_.begin(), objective_.end(), cost.begin(), [](double value) { return -value; });
  const std::vector<double> zeros(variables, 0), ones(variables, 1);
  OsiClpSolverInterface relaxation;
  relaxation.messageHandler()->setLogLevel(0);
  relaxation.loadProblem(matrix, zeros.data(), ones.data(), cost.data(), lower_.data(), upper_.data());
  for (std::size_t i = 0; i < variables; ++i) relaxation.setInteger(static_cast<int>(i));

  CbcModel model(relaxation);
  model.setLogLevel(0);
  model.solver()->messageHandler()->setLogLevel(0);
  model.setMaximumNodes(static_cast<int>(limits.nodes));
  model.setAllowableGap(limits.gap);
  if (std::isfinite(limits.at_least)) model.setCutoff(-limits.at_least);
  CglGomory cuts;
  cuts.setLimit(static_cast<int>(variables));  // a cut of many terms is welcome: programs here are small
  model.addCutGenerator(&cuts, where_it_pays, "Gomory");
  CbcRounding rounding(model);
  model.addHeuristic(&rounding);
  model.initialSolve();
  model.branchAndBound();
  if (model.status() != search_ended && model.status() != search_stopped) {
    throw fault(fmt::format("an integer program was not solved: status {} of Cbc", model.status()));
  }

  IntegerSolution solution;
  if (const double* values = model.bestSolution(); values != nullptr) {
    solution.found = true;
    solution.values.resize(variables);
    std::transform(values, values + variables, solution.values.begin(), [](double v) { return std::round(v); });
    for (std::size_t i = 0; i < variables; ++i) solution.objective += objective_[i] * solution.values[i];
  }
  if (model.status() == search_stopped) {
    solution.bound = -model.getBestPossibleObjValue();
  } else {  // what Cbc states then is the objective, whatever the gap
    solution.bound = solution.found ? solution.objective + limits.gap : limits.at_least;
  }
  return solution;
}

}  // namespace palstudy
