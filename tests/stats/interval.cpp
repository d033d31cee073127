// SPDX-License-Identifier: MIT
#include "stats/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"

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

}  // namespace
}  // namespace palstudy
