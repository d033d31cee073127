// SPDX-License-Identifier: MIT
#include "optimize/integer_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/random.hpp"

namespace palstudy {
namespace {

constexpr std::uint32_t variables = 8;

/// Three rows with lower and upper bounds, coefficients of both signs, and one variable that no row has.
struct RandomProgram {
  struct Row {
    double lower, upper;
    std::vector<LinearTerm> terms;
  };
  IntegerProgram program;
  std::vector<double> objective;
  std::vector<Row> rows;

  explicit RandomProgram(std::uint64_t seed) {
    RandomStream stream(seed, Purpose::job_shape, 0);
    const auto number = [&] { return static_cast<double>(stream.below(19)) - 9; };
    for (std::uint32_t i = 0; i < variables; ++i) {
      objective.push_back(number());
      program.add_variable(objective.back());
    }
    for (int row = 0; row < 3; ++row) {
      const double lower = number();
      rows.push_back({lower, lower + stream.below(8), {}});
      for (std::uint32_t i = 1; i < variables; ++i) rows.back().terms.push_back({i, number()});
      program.add_row(rows.back().lower, rows.back().upper, rows.back().terms);
    }
  }

  [[nodiscard]] bool holds(const std::vector<double>& values) const {
    for (const Row& row : rows) {
      double sum = 0;
      for (const LinearTerm& term : row.terms) sum += term.coefficient * values[term.variable];
      if (sum < row.lower || sum > row.upper) return false;
    }
    return true;
  }
  [[nodiscard]] double gain(const std::vector<double>& values) const {
    double sum = 0;
    for (std::uint32_t i = 0; i < variables; ++i) sum += objective[i] * values[i];
    return sum;
  }
  /// Of all 2^8 values; -infinity if none hold.
  [[nodiscard]] double best() const {
    double most = -INFINITY;
    for (std::uint32_t bits = 0; bits < 1U << variables; ++bits) {
      std::vector<double> values(variables);
      for (std::uint32_t i = 0; i < variables; ++i) values[i] = bits >> i & 1U;
      if (holds(values)) most = std::max(most, gain(values));
    }
    return most;
  }
};

// Against all values tried. An objective that must be larger than the best is not found, and the bound says so.
TEST(IntegerProgram, FindsTheBestOfAll) {
  int infeasible = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomProgram random(seed);
    const double best = random.best();
    const IntegerSolution solution = random.program.maximize();
    ASSERT_EQ(solution.found, std::isfinite(best)) << "seed " << seed;
    if (!solution.found) {
      ++infeasible;
      continue;
    }
    EXPECT_TRUE(random.holds(solution.values));
    EXPECT_EQ(random.gain(solution.values), solution.objective);
    EXPECT_EQ(solution.objective, best) << "seed " << seed;
    EXPECT_EQ(solution.bound, best) << "seed " << seed;
    EXPECT_EQ(random.program.maximize({.at_least = best - 0.5}).objective, best) << "seed " << seed;
    const IntegerSolution beyond = random.program.maximize({.at_least = best + 0.5});
    EXPECT_FALSE(beyond.found) << "seed " << seed;
    EXPECT_GE(beyond.bound, best);
    const IntegerSolution near = random.program.maximize({.gap = 3});
    ASSERT_TRUE(near.found);
    EXPECT_GE(near.objective, best - 3) << "seed " << seed;
    EXPECT_GE(near.bound, best) << "seed " << seed;
    EXPECT_GE(random.program.maximize({.nodes = 0}).bound, best - 1e-6) << "seed " << seed;
  }
  EXPECT_GT(infeasible, 3);
  EXPECT_LT(infeasible, 57);
}

// A knapsack of 5 rows (Chu and Beasley, J. Heuristics 1998) whose objective follows the weights takes more than a few
// nodes. Cut short it has a bound that is larger than what it found; both contain the optimum.
TEST(IntegerProgram, EndsByTheCountOfNodes) {
  RandomStream stream(1, Purpose::job_shape, 0);
  IntegerProgram program;
  std::vector<std::vector<LinearTerm>> rows(5);
  for (std::uint32_t i = 0; i < 30; ++i) {
    double sum = 0;
    for (auto& row : rows) {
      row.push_back({i, 1.0 + stream.below(1000)});
      sum += row.back().coefficient;
    }
    program.add_variable(std::floor(sum / 5) + stream.below(500));
  }
  for (const auto& row : rows) program.add_row(0, 7500, row);
  const IntegerSolution few = program.maximize({.nodes = 3}), many = program.maximize({.nodes = 100'000});
  ASSERT_TRUE(many.found);
  EXPECT_EQ(many.bound, many.objective);
  EXPECT_GT(few.bound, many.objective + 1e-6);
  EXPECT_TRUE(!few.found || few.objective <= many.objective);
}

}  // namespace
}  // namespace palstudy
