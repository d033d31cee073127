// SPDX-License-Identifier: MIT
#include "optimize/multiple_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "optimize/choice_instances.hpp"

namespace palstudy {
namespace {

/// No table fits, and the search goes on until the optimum is proved.
constexpr MultipleChoiceLimits by_search{.table_entries = 0, .relative_gap = 0, .nodes = 100'000};

/// Up to 5 rows of up to 3 choices, many of them of equal cost, with 1 to 3 resources, separate or nested. Some rows
/// are pinned, where that fits.
ChoiceInstance small_instance(std::uint64_t seed) {
  RandomStream stream(seed, Purpose::job_shape, 0);
  const std::uint32_t resources = 1 + stream.below(3);
  const bool nested = stream.below(2) == 0;
  ChoiceInstance instance;
  for (std::uint32_t k = 0; k < resources; ++k) instance.capacities.push_back(stream.below(7));
  for (std::uint32_t k = 1; nested && k < resources; ++k) instance.capacities[k] += instance.capacities[k - 1];
  std::vector<std::uint32_t> left = instance.capacities;
  instance.rows.resize(1 + stream.below(5));
  for (ChoiceInstance::Row& row : instance.rows) {
    row.cost_of_none = static_cast<int>(stream.below(3)) - 1;
    for (std::uint32_t i = stream.below(4); i > 0; --i) {
      const std::uint32_t k = stream.below(resources);
      row.choices.push_back({static_cast<int>(stream.below(6)) - 4, stream.below(5), k, nested ? resources : k + 1});
    }
    if (stream.below(5) > 0) continue;
    const std::uint32_t pin = stream.below(static_cast<std::uint32_t>(row.choices.size()) + 1);
    if (pin == row.choices.size()) {
      row.pinned = no_choice;
    } else if (has_room(row.choices[pin], left)) {
      take(row.choices[pin], left);
      row.pinned = pin;
    }
  }
  return instance;
}

/// Tries all choices in lexicographic order, none last, and keeps the first of least cost.
struct BruteForce {
  const ChoiceInstance& instance;
  std::vector<std::uint32_t> at, best;
  std::int64_t objective = INT64_MAX;

  explicit BruteForce(const ChoiceInstance& all) : instance(all) { try_rows(all.capacities, 0); }
  void try_rows(const std::vector<std::uint32_t>& left, std::int64_t cost) {
    if (at.size() == instance.rows.size()) {
      if (cost < objective) objective = cost, best = at;
      return;
    }
    const ChoiceInstance::Row& row = instance.rows[at.size()];
    for (std::size_t i = 0; i <= row.choices.size(); ++i) {
      const bool none = i == row.choices.size();
      const auto number = none ? no_choice : static_cast<std::uint32_t>(i);
      if (row.pinned.value_or(number) != number || (!none && !has_room(row.choices[i], left))) continue;
      std::vector<std::uint32_t> less = left;
      if (!none) take(row.choices[i], less);
      at.push_back(number);
      try_rows(less, cost + (none ? row.cost_of_none : row.choices[i].cost));
      at.pop_back();
    }
  }
};

/// That the choices keep to capacities and pins, and cost what is stated, which the bound does not exceed.
void expect_valid(const ChoiceInstance& instance, const MultipleChoiceSolution& solution) {
  std::vector<std::uint32_t> left = instance.capacities;
  std::int64_t cost = 0;
  ASSERT_EQ(solution.choices.size(), instance.rows.size());
  for (std::size_t j = 0; j < instance.rows.size(); ++j) {
    const ChoiceInstance::Row& row = instance.rows[j];
    const std::uint32_t i = solution.choices[j];
    EXPECT_EQ(row.pinned.value_or(i), i);
    cost += i == no_choice ? row.cost_of_none : row.choices.at(i).cost;
    if (i == no_choice) continue;
    ASSERT_TRUE(has_room(row.choices[i], left));
    take(row.choices[i], left);
  }
  EXPECT_EQ(solution.objective, cost);
  EXPECT_LE(solution.bound, cost);
}

// One object solves all, by turns with the tables and with the search. The tables find the first optimum, the search
// one of the same cost; both prove it.
TEST(MultipleChoice, IsTheFirstOptimumOfAll) {
  MultipleChoice program;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const ChoiceInstance instance = small_instance(seed);
    const BruteForce expected(instance);
    instance.give_to(program);
    MultipleChoiceSolution solution = program.solve();
    ASSERT_EQ(solution.choices, expected.best) << "seed " << seed;
    ASSERT_EQ(solution.objective, expected.objective) << "seed " << seed;
    ASSERT_EQ(solution.bound, expected.objective) << "seed " << seed;
    solution = program.solve(by_search);
    expect_valid(instance, solution);
    ASSERT_EQ(solution.objective, expected.objective) << "seed " << seed;
    ASSERT_EQ(solution.bound, expected.objective) << "seed " << seed;
  }
}

// Where a search ends early, its bound is still one: after the relaxation alone, after a few nodes, within a gap, or
// with few choices looked at.
TEST(MultipleChoice, SearchAndTableHaveOneOptimum) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const ChoiceInstance instance = scheduling_round({24, 16, 16}, 50, seed, seed % 2 == 1);
    MultipleChoice program;
    instance.give_to(program);
    const std::int64_t optimum = program.solve().objective;
    const MultipleChoiceSolution proved = program.solve(by_search);
    expect_valid(instance, proved);
    EXPECT_EQ(proved.objective, optimum) << "seed " << seed;
    EXPECT_EQ(proved.bound, optimum) << "seed " << seed;
    for (const MultipleChoiceLimits& limits :
         {MultipleChoiceLimits{0, 1, 1}, MultipleChoiceLimits{0, 0, 0}, MultipleChoiceLimits{0, 0, 3},
          MultipleChoiceLimits{0, 0.002, 1000}, MultipleChoiceLimits{0, 0.01, 1000},
          MultipleChoiceLimits{0, 0.002, 1000, 5}, MultipleChoiceLimits{0, 0, 3, 5},
          MultipleChoiceLimits{0, 0, 3, 0}}) {
      const MultipleChoiceSolution solution = program.solve(limits);
      expect_valid(instance, solution);
      EXPECT_LE(solution.bound, optimum) << "seed " << seed << " gap " << limits.relative_gap;
      EXPECT_GE(solution.objective, optimum);
    }
  }
}

TEST(MultipleChoice, IsNotWorseWithMoreCapacity) {
  MultipleChoice program;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    ChoiceInstance instance = scheduling_round({8, 8, 8}, 20, seed, seed % 2 == 1);
    instance.give_to(program);
    std::int64_t before = program.solve().objective;
    for (std::size_t step = 0; step < 12; ++step) {
      ++instance.capacities[step % 3];
      instance.give_to(program);
      const std::int64_t objective = program.solve().objective;
      EXPECT_LE(objective, before);
      before = objective;
    }
  }
}

// The tables would have 7e10 states. The answer is near to its bound, and the same for another object with another
// past.
TEST(MultipleChoice, Of2048GpusIsWithinHalfAPercentOfItsBound) {
  MultipleChoice program, other;
  for (const bool nested : {false, true}) {
    const ChoiceInstance instance = scheduling_round({512, 512, 512, 512}, 1000, 7, nested);
    instance.give_to(program);
    const MultipleChoiceSolution solution = program.solve();
    expect_valid(instance, solution);
    const auto gap = static_cast<double>(solution.objective - solution.bound);
    EXPECT_LE(gap, 0.005 * std::abs(static_cast<double>(solution.bound)));
    small_instance(3).give_to(other);
    EXPECT_EQ(other.solve().objective, BruteForce(small_instance(3)).objective);
    instance.give_to(other);
    EXPECT_EQ(other.solve().choices, solution.choices);
  }
}

// 3 rows can want at most 2 of the first resource and 5 of the second: 3 x 6 states in each of 4 tables.
TEST(MultipleChoice, TablesTellApartOnlyWhatRowsCanWant) {
  ChoiceRows rows{{9, 9}, {{-1, 2, 0, 1}, {-1, 1, 0, 1}, {-1, 3, 1, 2}, {-1, 2, 1, 2}}, {0, 2, 3, 4}};
  ChoiceTable table;
  EXPECT_TRUE(table.fits(rows, 72));
  EXPECT_FALSE(table.fits(rows, 71));
  rows.choices[0].cost = -3'000'000'000;  // more than an entry can hold
  EXPECT_FALSE(table.fits(rows, 72));
}

TEST(MultipleChoice, RefusesWhatCannotBe) {
  MultipleChoice program;
  program.begin(std::vector<std::uint32_t>{4, 4});
  const std::vector<Choice> three{{-1, 3, 0, 1}};
  program.add_row(three, 0, 0);
  EXPECT_THROW(program.add_row(three, 0, 0), Error);
  EXPECT_THROW(program.add_row(std::vector<Choice>{{-1, 1, 1, 1}}), Error);
  EXPECT_THROW(program.add_row(std::vector<Choice>{{-1, 1, 1, 3}}), Error);
}

}  // namespace
}  // namespace palstudy
