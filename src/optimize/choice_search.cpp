// SPDX-License-Identifier: MIT
#include "optimize/choice_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "optimize/integer_program.hpp"
#include "optimize/linear_program.hpp"

namespace palstudy {

namespace {

constexpr double rounding_error = 1e-6;  // of sums of costs and prices

/// The least whole number that is not below a value, but for rounding.
std::int64_t least_cost(double value) { return static_cast<std::int64_t>(std::ceil(value - rounding_error)); }

class ChoiceSearch {
 public:
  ChoiceSearch(const ChoiceRows& rows, std::vector<std::uint32_t>& chosen) : rows_(rows), chosen_(chosen) {
    chosen_.assign(rows_.size(), no_choice);
    relax();
    weigh();
    improve_greedily();
    bound_ = std::min(objective_, least_cost(relaxed_));
  }

  std::int64_t search(const ChoiceSearchLimits& limits);

 private:
  void relax();
  void weigh();
  void improve_greedily();
  void search_within(double excess, double gap, std::uint32_t nodes);

  const ChoiceRows& rows_;
  std::vector<std::uint32_t>& chosen_;
  std::vector<double> values_, prices_;  // of the relaxation: by choice, by capacity
  double relaxed_ = 0;                   // the bound that the prices prove
  std::vector<double> excess_;           // by choice: its cost at the prices beyond the best of its row
  std::vector<double> excess_of_none_;   // by row
  std::int64_t objective_ = 0, bound_ = 0;
};

void ChoiceSearch::relax() {
  constexpr double inf = LinearProgram::unbounded;
  LinearProgram program;
  std::vector<std::vector<LinearTerm>> used(rows_.capacities.size());
  std::vector<double> gains;
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    std::vector<LinearTerm> one;
    for (const Choice& choice : rows_.row(j)) {
      const std::uint32_t variable = program.add_variable();
      gains.push_back(static_cast<double>(-choice.cost));
      one.push_back({variable, 1});
      for (std::uint32_t k = choice.first; k < choice.last; ++k) {
        used[k].push_back({variable, static_cast<double>(choice.amount)});
      }
    }
    program.add_row(-inf, 1, one);
  }
  for (std::size_t k = 0; k < used.size(); ++k) program.add_row(-inf, rows_.capacities[k], used[k]);
  program.set_objective(gains);
  LinearSolution solution = program.maximize();
  prices_.assign(solution.prices.end() - static_cast<std::ptrdiff_t>(used.size()), solution.prices.end());
  values_ = std::move(solution.values);
}

/// Whatever the prices, the sum of the rows' best at them less the price of all there is is a bound.
void ChoiceSearch::weigh() {
  for (std::size_t k = 0; k < prices_.size(); ++k) relaxed_ -= prices_[k] * rows_.capacities[k];
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    double best = 0;
    for (const Choice& choice : rows_.row(j)) {
      double priced = static_cast<double>(choice.cost);
      for (std::uint32_t k = choice.first; k < choice.last; ++k) priced += prices_[k] * choice.amount;
      excess_.push_back(priced);
      best = std::min(best, priced);
    }
    for (std::size_t i = rows_.starts[j]; i < rows_.starts[j + 1]; ++i) excess_[i] -= best;
    excess_of_none_.push_back(-best);
    relaxed_ += best;
  }
}

/// Takes what the relaxation leaves whole. The other rows take the best that there is room for, one after the other.
void ChoiceSearch::improve_greedily() {
  std::vector<std::uint32_t> left = rows_.capacities;
  for (const bool whole : {true, false}) {
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      if (chosen_[j] != no_choice) continue;
      const auto choices = rows_.row(j);
      std::int64_t least = 0;
      for (std::uint32_t i = 0; i < choices.size(); ++i) {
        if (whole && values_[rows_.starts[j] + i] < 1 - rounding_error) continue;
        if (choices[i].cost >= least || !has_room(choices[i], left)) continue;
        least = choices[i].cost;
        chosen_[j] = i;
      }
      if (chosen_[j] != no_choice) take(choices[chosen_[j]], left);
      objective_ += least;
    }
  }
}

/// Among the choices that cost at most so much more than the best of their rows.
void ChoiceSearch::search_within(double excess, double gap, std::uint32_t nodes) {
  constexpr double inf = LinearProgram::unbounded;
  IntegerProgram program;
  std::vector<std::vector<LinearTerm>> used(rows_.capacities.size());
  std::vector<std::size_t> choice_of;  // by variable
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    std::vector<LinearTerm> one;
    for (std::size_t i = rows_.starts[j]; i < rows_.starts[j + 1]; ++i) {
      if (excess_[i] > excess) continue;
      const Choice& choice = rows_.choices[i];
      const std::uint32_t variable = program.add_variable(static_cast<double>(-choice.cost));
      choice_of.push_back(i);
      one.push_back({variable, 1});
      for (std::uint32_t k = choice.first; k < choice.last; ++k) {
        used[k].push_back({variable, static_cast<double>(choice.amount)});
      }
    }
    if (!one.empty()) program.add_row(excess_of_none_[j] > excess ? 1 : -inf, 1, one);
  }
  for (std::size_t k = 0; k < used.size(); ++k) program.add_row(-inf, rows_.capacities[k], used[k]);
  const IntegerSolution solution = program.maximize({nodes, gap, static_cast<double>(-objective_) + 0.5});
  if (solution.found) {
    chosen_.assign(rows_.size(), no_choice);
    std::size_t variable = 0;
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      for (; variable < choice_of.size() && choice_of[variable] < rows_.starts[j + 1]; ++variable) {
        if (solution.values[variable] > 0.5)
          chosen_[j] = static_cast<std::uint32_t>(choice_of[variable] - rows_.starts[j]);
      }
    }
    objective_ = -std::llround(solution.objective);
  }
  const std::int64_t elsewhere = least_cost(relaxed_ + excess);
  bound_ = std::max(bound_, std::min({objective_, least_cost(-solution.bound), elsewhere}));
}

std::int64_t ChoiceSearch::search(const ChoiceSearchLimits& limits) {
  const double gap = limits.relative_gap * std::abs(relaxed_);
  std::vector<double> sorted = excess_;
  sorted.insert(sorted.end(), excess_of_none_.begin(), excess_of_none_.end());
  const auto last =
      sorted.begin() + static_cast<std::ptrdiff_t>(std::min(rows_.size() + limits.first_choices, sorted.size() - 1));
  std::nth_element(sorted.begin(), last, sorted.end());
  for (const double most : {*last, std::numeric_limits<double>::infinity()}) {
    if (static_cast<double>(objective_ - bound_) <= gap) break;
    const double useful = static_cast<double>(objective_) - 0.5 - relaxed_;   // no better solution has a larger excess
    search_within(std::min(most, useful), std::max(gap, 0.9), limits.nodes);  // costs are whole numbers
  }
  return bound_;
}

}  // namespace

std::int64_t search_choices(const ChoiceRows& rows, const ChoiceSearchLimits& limits,
                            std::vector<std::uint32_t>& chosen) {
  if (rows.choices.empty()) return chosen.assign(rows.size(), no_choice), 0;
  return ChoiceSearch(rows, chosen).search(limits);
}

}  // namespace palstudy
