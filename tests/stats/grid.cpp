// SPDX-License-Identifier: MIT
#include "stats/grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "stats/simulated.hpp"

namespace palstudy {
namespace {

// Seeds that go together are replications by themselves: s / sqrt(n) of 1, 2, 3, 4 is sqrt(5/3) / 2.
TEST(Grid, TakesSeedsThatGoTogetherAsReplications) {
  const std::vector<Observation> seen = {{1, 0, 0}, {2, 1, 1}, {3, 2, 2}, {4, 3, 3}};
  const Grid grid = make_grid(seen);
  EXPECT_FALSE(grid.crossed());
  const auto result = estimate(grid);
  EXPECT_NEAR(result.centre, 2.5, 1e-15);
  EXPECT_NEAR(result.standard_error, std::sqrt(5.0 / 3) / 2, 1e-15);
  EXPECT_EQ(result.degrees, 3);
}

// By hand, y = | 1 2 | : row means 1.5, 4.5; column means 2, 4; mean 3. MS_rows = 2 x 2 x 1.5^2 = 9, MS_columns = 2 x 2
// x
//              | 3 6 |   1^2 = 4, rest: every residual is +-0.5, MS_rest = 1. Variance (9 + 4 - 1) / 4 = 3.
//              Satterthwaite:
// 12^2 / (9^2 + 4^2 + 1^2) = 144 / 98.
TEST(Grid, HasTheTwoWayVarianceOfCrossedSeeds) {
  const Grid grid = make_grid(std::vector<Observation>{{1, 0, 0}, {2, 0, 1}, {3, 1, 0}, {6, 1, 1}});
  ASSERT_TRUE(grid.crossed());
  const auto result = estimate(grid);
  EXPECT_NEAR(result.centre, 3, 1e-15);
  EXPECT_NEAR(result.standard_error, std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(result.degrees, 144.0 / 98, 1e-12);
}

// By hand, y = | 0 3 2 | : mean 2, row means 5/3 and 7/3, column means 1, 2, 3. MS_rows = 2/3, MS_columns = 2, the rest
//              | 2 1 4 |   is 16/3 with 2 degrees, 8/3: the sum of the three is 0, less than that of the columns alone,
// which counts then, with their 2 degrees of freedom: variance 2 / 6. So it is with rows and columns exchanged.
TEST(Grid, HasNotLessThanTheVarianceOfOneDirection) {
  const std::vector<std::vector<double>> y = {{0, 3, 2}, {2, 1, 4}};
  std::vector<Observation> there, back;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      there.push_back({y[i][j], i, j});
      back.push_back({y[i][j], j, i});
    }
  }
  for (const auto& seen : {there, back}) {
    const Grid grid = make_grid(seen);
    ASSERT_TRUE(grid.crossed());
    const auto result = estimate(grid);
    EXPECT_NEAR(result.centre, 2, 1e-15);
    EXPECT_NEAR(result.standard_error, std::sqrt(1.0 / 3), 1e-12);
    EXPECT_NEAR(result.degrees, 2, 1e-12);
  }
}

// What the replications are: pairs of seeds that go together, the seeds of one direction where the other has one seed
// or changes nothing, both crossed where neither is so.
TEST(Grid, SaysWhatItsReplicationsAre) {
  const auto by = [](const std::vector<Observation>& seen) { return make_grid(seen).by; };
  EXPECT_EQ(by({{1, 0, 0}, {2, 1, 1}}), Replicated::together);
  EXPECT_EQ(by({{1, 0, 0}}), Replicated::together);
  EXPECT_EQ(by({{1, 0, 0}, {2, 1, 0}}), Replicated::clusters);
  EXPECT_EQ(by({{1, 0, 0}, {1, 0, 1}, {2, 1, 0}, {2, 1, 1}}), Replicated::clusters);
  EXPECT_EQ(by({{1, 0, 0}, {2, 0, 1}}), Replicated::workloads);
  EXPECT_EQ(by({{1, 0, 0}, {2, 0, 1}, {1, 1, 0}, {2, 1, 1}}), Replicated::workloads);
  EXPECT_EQ(by({{1, 0, 0}, {2, 0, 1}, {3, 1, 0}, {5, 1, 1}}), Replicated::crossed);
}

// One replication has no spread.
TEST(Grid, NeedsTwoReplicationsForAnEstimate) {
  EXPECT_THROW((void)estimate(make_grid(std::vector<Observation>{{1, 0, 0}})), Error);
  EXPECT_NO_THROW((void)estimate(make_grid(std::vector<Observation>{{1, 0, 0}, {2, 1, 1}})));
}

// The names of the directions do not matter.
TEST(Grid, IsTheSameWithClustersAndWorkloadsExchanged) {
  RandomStream random(1, Purpose::resample, 0);
  std::vector<Observation> there, back;
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = 0; j < 12; ++j) {
      if ((i + j) % 11 == 0) continue;  // some pairs are missing, as unstable runs leave it
      there.push_back({random.uniform() + static_cast<double>(i), i, j});
      back.push_back({there.back().value, j, i});
    }
  }
  const auto a = estimate(make_grid(there)), b = estimate(make_grid(back));
  EXPECT_NEAR(a.centre, b.centre, 1e-12);
  EXPECT_NEAR(a.standard_error, b.standard_error, 1e-12);
  EXPECT_NEAR(a.degrees, b.degrees, 1e-9);
}

// Workload seeds of a trace that is read change nothing: ten clusters by thirty such seeds are ten replications.
TEST(Grid, LeavesOutADirectionThatChangesNothing) {
  std::vector<Observation> crossed, alone;
  for (std::size_t i = 0; i < 10; ++i) {
    const auto value = static_cast<double>(i * i % 7);
    alone.push_back({value, i, 0});
    for (std::size_t j = 0; j < 30; ++j) crossed.push_back({value, i, j});
  }
  const Grid grid = make_grid(crossed);
  EXPECT_FALSE(grid.crossed());
  EXPECT_EQ(grid.cells.size(), 10u);
  EXPECT_NEAR(estimate(grid).standard_error, estimate(make_grid(alone)).standard_error, 1e-12);
}

TEST(Grid, KnowsThatNoSeedChangesAnything) {
  std::vector<Observation> same;
  for (std::size_t i = 0; i < 10; ++i) same.push_back({std::log(0.9), i, i});
  EXPECT_TRUE(make_grid(same).constant());
  same.push_back({std::log(0.9) * (1 + 1e-9), 10, 10});
  EXPECT_FALSE(make_grid(same).constant());
}

// By hand, y = | -2 0 | : mean 0, row means -1 and 1, column means -3 and 3, and every cell is 2 off the sum of both:
//              | -4 6 |   MS_rows = 4, MS_columns = 36, the rest 16. 4 + 36 - 16 = 24 is more than that of the rows
// alone, but less than that of the columns, which counts: variance 36 / 4 with one degree of freedom.
TEST(Grid, HasNotLessThanTheLargerVarianceOfTheTwo) {
  const auto result = estimate(make_grid(std::vector<Observation>{{-2, 0, 0}, {0, 0, 1}, {-4, 1, 0}, {6, 1, 1}}));
  EXPECT_NEAR(result.centre, 0, 1e-15);
  EXPECT_NEAR(result.standard_error, 3, 1e-12);
  EXPECT_NEAR(result.degrees, 1, 1e-12);
}

}  // namespace
}  // namespace palstudy
