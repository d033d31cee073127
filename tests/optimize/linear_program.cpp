// SPDX-License-Identifier: MIT
#include "optimize/linear_program.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace palstudy {
namespace {

constexpr double inf = LinearProgram::unbounded;

/// max 3x + 2y with x + y <= 4 and x + 3y <= 7, x <= 3. The vertices are (0,0), (3,0), (3,1), (0,7/3): the best is
/// (3,1) with 11. There x + y = 4 has price 2, and x <= 3 has price 1: 2 * 4 + 1 * 3 = 11.
struct SmallProgram {
  LinearProgram program;
  std::uint32_t x = program.add_variable(3), y = program.add_variable();
  std::uint32_t sum = program.add_row(-inf, 4, std::vector<LinearTerm>{{x, 1}, {y, 1}});
  std::uint32_t other = program.add_row(-inf, 7, std::vector<LinearTerm>{{x, 1}, {y, 3}});
  SmallProgram() { program.set_objective({3, 2}); }
};

TEST(LinearProgram, SolvesByHand) {
  SmallProgram small;
  const LinearSolution solution = small.program.maximize();
  ASSERT_TRUE(solution.feasible);
  EXPECT_NEAR(solution.objective, 11, 1e-9);
  EXPECT_NEAR(solution.dual_objective, 11, 1e-9);
  EXPECT_NEAR(solution.values[small.x], 3, 1e-9);
  EXPECT_NEAR(solution.values[small.y], 1, 1e-9);
  EXPECT_NEAR(solution.prices[small.sum], 2, 1e-9);
}

/// With y counted 7 times in the second row, (3, 4/7) is best: 9 + 8/7. With x + y <= 2 as well, (2, 0): 6.
/// With x >= 2.5 and x + y <= 2 nothing is feasible.
TEST(LinearProgram, IsSolvedAgainAfterChanges) {
  SmallProgram small;
  ASSERT_TRUE(small.program.maximize().feasible);
  small.program.set_coefficient(small.other, small.y, 7);
  EXPECT_NEAR(small.program.maximize().objective, 9 + 8.0 / 7, 1e-9);
  small.program.set_row(small.sum, -inf, 2);
  const LinearSolution solution = small.program.maximize();
  EXPECT_NEAR(solution.objective, 6, 1e-9);
  EXPECT_NEAR(solution.dual_objective, solution.objective, 1e-9);
  small.program.set_least(small.x, 2.5);
  EXPECT_FALSE(small.program.maximize().feasible);
}

/// The largest z to which 12 tasks can be served, each by its own mix of 6 machines of one unit of time.
struct MixedProgram {
  static constexpr std::uint32_t tasks = 12, machines = 6;
  LinearProgram program;
  std::uint32_t level = program.add_variable();
  explicit MixedProgram(std::uint32_t most_primal_iterations) : program(most_primal_iterations) {
    std::vector<std::vector<LinearTerm>> of_machine(machines);
    for (std::uint32_t task = 0; task < tasks; ++task) {
      std::vector<LinearTerm> served{{level, -1}};
      for (std::uint32_t machine = 0; machine < machines; ++machine) {
        const std::uint32_t share = program.add_variable(1);
        served.push_back({share, 1 + 0.1 * static_cast<double>((7 * task + 5 * machine) % 11)});
        of_machine[machine].push_back({share, 1});
      }
      program.add_row(0, inf, served);
    }
    for (const auto& shares : of_machine) program.add_row(-inf, 1, shares);
    program.set_objective({1});
  }
};

// Where the primal method gives up, here since it may take one step only, from a new basis and from the last one, the
// dual method solves the program: the same value, which the row prices prove, after changes as well.
TEST(LinearProgram, IsSolvedByTheDualMethodWhereThePrimalOneGivesUp) {
  constexpr std::uint32_t many = 1'000'000;
  MixedProgram whole(many), cut(1);
  for (const double time : {1.0, 0.5, 2.0}) {
    whole.program.set_row(MixedProgram::tasks, -inf, time);
    cut.program.set_row(MixedProgram::tasks, -inf, time);
    const LinearSolution expected = whole.program.maximize(), solution = cut.program.maximize();
    ASSERT_TRUE(solution.feasible);
    EXPECT_NEAR(solution.objective, expected.objective, 1e-9);
    EXPECT_NEAR(solution.dual_objective, expected.objective, 1e-9);
    EXPECT_GT(solution.iterations, 2U) << "those of the dual method are counted as well";
  }
  cut.program.set_least(cut.level, 100);
  EXPECT_FALSE(cut.program.maximize().feasible);
}

}  // namespace
}  // namespace palstudy
