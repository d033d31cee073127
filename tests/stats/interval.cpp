// SPDX-License-Identifier: MIT
#include "stats/interval.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"

namespace palstudy {
namespace {

// One replication of another value than all others. Without it a resample has no spread: of eight that stand by
// themselves that happens to (7/8)^8 = 34 %, and the others give an interval; of eight seeds by eight the odd one is in
// a resample only if its row and its column are, in 43 %, and too few are left to speak of.
TEST(BootstrapInterval, NeedsHalfOfTheResamplesToHaveASpread) {
  std::vector<Observation> alone, crossed;
  for (std::size_t i = 0; i < 8; ++i) {
    alone.push_back({i == 3 ? 1.0 : 0.0, i, i});
    for (std::size_t j = 0; j < 8; ++j) crossed.push_back({i == 3 && j == 5 ? 1.0 : 0.0, i, j});
  }
  const Grid one_way = make_grid(alone), two_way = make_grid(crossed);
  ASSERT_TRUE(two_way.crossed());
  EXPECT_TRUE(bootstrap_interval(one_way, estimate(one_way)));
  EXPECT_FALSE(bootstrap_interval(two_way, estimate(two_way)));
}

// With the sign of the values the interval turns over: (low, high) becomes (-high, -low), and p stays. The random
// numbers are the same, so this holds but for rounding.
TEST(BootstrapInterval, TurnsOverWithTheSign) {
  std::vector<Observation> there, back;
  for (std::size_t i = 0; i < 12; ++i) {
    const double value = std::exp(std::sin(static_cast<double>(7 * i))) - 0.8;  // skewed
    there.push_back({value, i, i});
    back.push_back({-value, i, i});
  }
  const Grid a = make_grid(there), b = make_grid(back);
  for (const std::size_t comparisons : {std::size_t{1}, std::size_t{10}}) {
    const auto one = bootstrap_interval(a, estimate(a), comparisons).value();
    const auto other = bootstrap_interval(b, estimate(b), comparisons).value();
    EXPECT_NEAR(one.low, -other.high, 1e-12);
    EXPECT_NEAR(one.high, -other.low, 1e-12);
    EXPECT_DOUBLE_EQ(one.p_value, other.p_value);
  }
}

// By the definition of p the interval at 95 % leaves 0 out just where p is less than 5 %, to about one resample.
TEST(BootstrapInterval, AgreesWithItsP) {
  for (int shift = -20; shift <= 20; ++shift) {
    std::vector<Observation> all;
    for (std::size_t i = 0; i < 12; ++i) {
      all.push_back({std::exp(std::sin(static_cast<double>(7 * i))) - 1.25 + 0.05 * shift, i, i});
    }
    const Grid grid = make_grid(all);
    const auto got = bootstrap_interval(grid, estimate(grid)).value();
    EXPECT_LT(got.low, got.high);
    EXPECT_LE(got.p_value, 1);
    const bool leaves_out_0 = got.low > 0 || got.high < 0;
    EXPECT_TRUE(leaves_out_0 || got.p_value >= 0.048) << shift;
    EXPECT_TRUE(!leaves_out_0 || got.p_value <= 0.052) << shift;
  }
}

TEST(StudentInterval, NeedsDegreesOfFreedom) {
  EXPECT_THROW((void)student_interval({1, 1, 0}), Error);
  EXPECT_NO_THROW((void)student_interval({1, 1, 1}));
}

// t(0.975; 7) = 2.364624; p is 1 at 0, 5 % where the interval ends at 0, and 1 where nothing is known to differ.
TEST(StudentInterval, HasThePOfItsEnd) {
  const auto at_zero = student_interval({0, 2, 7}), at_end = student_interval({2.364624 * 2, 2, 7});
  EXPECT_NEAR(at_zero.high, 2 * 2.364624, 1e-5);
  EXPECT_DOUBLE_EQ(at_zero.low, -at_zero.high);
  EXPECT_DOUBLE_EQ(at_zero.p_value, 1);
  EXPECT_NEAR(at_end.p_value, 0.05, 1e-6);
  EXPECT_NEAR(at_end.low, 0, 1e-5);
}

// By the definition, slowly, on the fixed random numbers: 2,000 resamples, or 10 beyond each end where ten intervals
// hold together; of each (mean* - mean) / error*, if it has a spread. `resample` draws one.
template <class Resample>
Interval by_definition(const Estimate& whole, std::size_t comparisons, Resample resample) {
  RandomStream random(1, Purpose::resample, 0);
  std::vector<double> t;
  for (int i = 0; i < (comparisons == 10 ? 4000 : 2000); ++i) {
    const Estimate one = resample(random);
    if (one.standard_error > 1e-9 * whole.standard_error) t.push_back((one.centre - whole.centre) / one.standard_error);
  }
  std::sort(t.begin(), t.end());
  const auto n = static_cast<double>(t.size());
  const auto quantile = [&](double share) {
    const double place = share * (n - 1), below = std::floor(place);
    const auto at = static_cast<std::size_t>(below);
    return t[at] + (place - below) * (t[at + 1] - t[at]);
  };
  const double observed = whole.centre / whole.standard_error, tail = 0.025 / static_cast<double>(comparisons);
  double at_most = 0, at_least = 0;
  for (const double one : t) at_most += one <= observed ? 1 : 0, at_least += one >= observed ? 1 : 0;
  return {whole.centre - quantile(1 - tail) * whole.standard_error,
          whole.centre - quantile(tail) * whole.standard_error,
          std::min(1.0, 2 * (std::min(at_most, at_least) + 1) / (n + 1))};
}

void expect_interval(const Grid& grid, const std::function<Estimate(RandomStream&)>& resample) {
  const Estimate whole = estimate(grid);
  for (const std::size_t comparisons : {std::size_t{1}, std::size_t{10}}) {
    const Interval wanted = by_definition(whole, comparisons, resample);
    const Interval got = bootstrap_interval(grid, whole, comparisons).value();
    EXPECT_NEAR(got.low, wanted.low, 1e-9);
    EXPECT_NEAR(got.high, wanted.high, 1e-9);
    EXPECT_NEAR(got.p_value, wanted.p_value, 1e-12);
  }
}

// Replications that stand by themselves are drawn one by one, and the error is that of what is drawn.
TEST(BootstrapInterval, IsThatOfItsDefinition) {
  std::vector<Observation> all;
  for (std::size_t i = 0; i < 12; ++i) all.push_back({std::exp(std::sin(static_cast<double>(7 * i))) - 0.9, i, i});
  expect_interval(make_grid(all), [&](RandomStream& random) {
    std::vector<Observation> drawn;
    for (std::size_t i = 0; i < all.size(); ++i) drawn.push_back({all[random.below(12)].value, i, i});
    double sum = 0, squares = 0;
    for (const Observation& one : drawn) sum += one.value;
    for (const Observation& one : drawn) squares += (one.value - sum / 12) * (one.value - sum / 12);
    return Estimate{sum / 12, std::sqrt(squares / 11 / 12), 11};
  });
}

// Of crossed seeds first as many rows are drawn and then as many columns; what lies where they meet is the resample,
// which may be two cells of a grid with many holes, and says nothing with fewer.
TEST(BootstrapInterval, OfCrossedSeedsIsThatOfItsDefinition) {
  std::vector<Observation> full, sparse = {{1, 0, 0}, {2.5, 1, 1}, {-0.7, 2, 2}, {0.4, 3, 3}, {3.1, 0, 1}};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      const bool hole = (i == 0 && j == 3) || (i == 2 && j == 1);
      if (!hole) full.push_back({std::sin(static_cast<double>(7 * i * i + 3 * j + 1)), i, j});
    }
  }
  for (const auto& seen : {full, sparse}) {
    const Grid grid = make_grid(seen);
    ASSERT_TRUE(grid.crossed());
    expect_interval(grid, [&](RandomStream& random) {
      std::vector<std::size_t> rows, columns;
      for (std::size_t i = 0; i < grid.rows; ++i) rows.push_back(random.below(static_cast<std::uint32_t>(grid.rows)));
      for (std::size_t i = 0; i < grid.columns; ++i) {
        columns.push_back(random.below(static_cast<std::uint32_t>(grid.columns)));
      }
      Grid drawn;
      drawn.rows = grid.rows, drawn.columns = grid.columns;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
          for (const Observation& one : seen) {
            if (one.cluster == rows[r] && one.workload == columns[c]) drawn.cells.push_back({r, c, one.value});
          }
        }
      }
      return drawn.cells.size() < 2 ? Estimate{} : estimate(drawn);
    });
  }
}

// Four replications at 1 and four at -1: their mean is 0, a quarter of the resamples have that mean too and lie on both
// sides of it, so that more than half of them are on either side; no chance is over 1.
TEST(BootstrapInterval, HasNoPOverOne) {
  std::vector<Observation> all;
  for (std::size_t i = 0; i < 8; ++i) all.push_back({i % 2 == 0 ? 1.0 : -1.0, i, i});
  const Grid grid = make_grid(all);
  EXPECT_EQ(bootstrap_interval(grid, estimate(grid)).value().p_value, 1);
}

}  // namespace
}  // namespace palstudy
