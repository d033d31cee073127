// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/numbers.hpp"
#include "core/random.hpp"
#include "sim/state/progress.hpp"

namespace palstudy {
namespace {

/// The slow, obvious twin: the definition itself.
RepeatedSum add_one_by_one(double x, double increment, std::int64_t limit, double target) {
  std::int64_t taken = 0;
  while (taken < limit && x < target) {
    x += increment;
    ++taken;
  }
  return {x, taken};
}

void expect_same(double x, double increment, std::int64_t limit, double target) {
  const auto fast = add_repeatedly(x, increment, limit, target);
  const auto slow = add_one_by_one(x, increment, limit, target);
  EXPECT_EQ(fast.value, slow.value) << x << " + " << increment << " x " << limit << " to " << target;
  EXPECT_EQ(fast.taken, slow.taken) << x << " + " << increment << " x " << limit << " to " << target;
}

// Random starts, increments over twelve decades and targets: the jump must give what the loop gives, to the last bit.
TEST(RepeatedSum, EqualsTheLoopOnRandomNumbers) {
  RandomStream random(7, Purpose::job_shape, 0);
  for (int trial = 0; trial < 3000; ++trial) {
    const double increment = std::pow(10.0, 12 * random.uniform() - 6);
    const double x = random.uniform() < 0.3 ? 0.0 : increment * std::pow(10.0, 6 * random.uniform() - 3);
    const double target = x + increment * std::pow(10.0, 4 * random.uniform());
    expect_same(x, increment, 1 << 20, target);
    expect_same(x, increment, 1 + random.below(5000), infinity);
  }
}

// Increments with few bits beside starts with the last bit odd or even: every step is a tie or exact, where rounding to
// even makes the first step in a binade differ from the others.
TEST(RepeatedSum, EqualsTheLoopWhereEveryStepIsATie) {
  for (int shift = 50; shift <= 54; ++shift) {
    for (int odd = 0; odd < 8; ++odd) {
      for (int quarters = 1; quarters <= 9; ++quarters) {
        const double start = 1.0 + odd * 0x1.0p-52;
        expect_same(start, quarters * std::ldexp(1.0, -shift), 3000, infinity);
      }
    }
  }
}

// The published simulator's own numbers: rounds of 360 s, iterations of 0.17540429367763434 s.
TEST(RepeatedSum, EqualsTheLoopOnALongJob) {
  expect_same(0.0, 360.0 / (1.123 * 1.7 * 0.17540429367763434), never, 2912468.0);
}

// Through the numbers below the normal ones and beyond them, where the first powers of two have no exponent of their
// own.
TEST(RepeatedSum, EqualsTheLoopBelowTheNormalNumbers) {
  const double least = std::numeric_limits<double>::denorm_min(), normal = std::numeric_limits<double>::min();
  for (const double increment : {least, 3 * least, 0x1.0p40 * least}) {
    for (const double x : {0.0, least, 1000 * least, normal - 1000 * least}) {
      expect_same(x, increment, 3000, infinity);
      expect_same(x, increment, never, x + 2500 * increment);
    }
  }
}

// One added to 2^53 is lost: the sum can never reach its target, and the answer comes at once.
TEST(RepeatedSum, SaysNeverWhereTheSumStandsStill) {
  const auto sum = add_repeatedly(0x1.0p53, 1.0, never, 0x1.0p54);
  EXPECT_EQ(sum.taken, never);
  EXPECT_EQ(sum.value, 0x1.0p53);
}

TEST(RepeatedSum, TakesNoStepAtTheTarget) { expect_same(5.0, 1.0, 10, 5.0); }

// A million million steps of one, each of which is exact: counted by jumps, or this would take hours.
TEST(RepeatedSum, JumpsWhereStepsAreEqual) {
  constexpr std::int64_t many = 1'000'000'000'000;
  const auto sum = add_repeatedly(0.0, 1.0, many, infinity);
  EXPECT_EQ(sum.value, 1e12);
  EXPECT_EQ(sum.taken, many);
}

}  // namespace
}  // namespace palstudy
