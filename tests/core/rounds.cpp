// SPDX-License-Identifier: MIT
#include "core/rounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"

namespace palstudy {
namespace {

// Rounds of 360 s: boundaries at 0, 360, 720, 1080. 700 s lie between the second and the third, 720 s on the third.
TEST(Rounds, AsByHand) {
  constexpr Rounds rounds(360);
  EXPECT_EQ(rounds.time_s(2), 720);
  EXPECT_EQ(rounds.at_or_after(700), 2);
  EXPECT_EQ(rounds.after(700), 2);
  EXPECT_EQ(rounds.at_or_before(700), 1);
  EXPECT_FALSE(rounds.is_boundary(700));
  EXPECT_EQ(rounds.start_s(700), 720);
  EXPECT_EQ(rounds.at_or_after(720), 2);
  EXPECT_EQ(rounds.after(720), 3);
  EXPECT_EQ(rounds.at_or_before(720), 2);
  EXPECT_TRUE(rounds.is_boundary(720));
  EXPECT_EQ(rounds.start_s(720), 720);
  EXPECT_EQ(rounds.at_or_after(0), 0);
  EXPECT_EQ(rounds.after(0), 1);
}

// What is due at 500 is noticed at 720 by who looks from 100 on; from 720 on, at 1080; what is due at 900, at 1080.
TEST(Rounds, WhatIsDueIsNoticedAtALaterBoundary) {
  constexpr Rounds rounds(360);
  EXPECT_EQ(rounds.due_after(100, 500), 2);
  EXPECT_EQ(rounds.due_after(720, 500), 3);
  EXPECT_EQ(rounds.due_after(720, 900), 3);
  EXPECT_EQ(rounds.due_after(720, infinity), never);
}

// 0.1 is not a binary fraction: ten times 0.1, added up, is 0.99999999999999989, which is ten rounds all the same.
TEST(Rounds, ASumOfRoundsIsCounted) {
  double sum_s = 0;
  for (int i = 0; i < 10; ++i) sum_s += 0.1;
  EXPECT_NE(sum_s, 1);
  EXPECT_EQ(Rounds(0.1).count(sum_s), 10);
  EXPECT_EQ(Rounds(360).count(0), 0);
}

// Nothing that is due at infinity has a boundary, and no boundary has that time.
TEST(Rounds, NeverIsInfinity) {
  EXPECT_EQ(Rounds(360).at_or_after(infinity), never);
  EXPECT_EQ(Rounds(360).after(infinity), never);
  EXPECT_EQ(Rounds(360).time_s(never), infinity);
  EXPECT_FALSE(Rounds(360).is_boundary(infinity));
  EXPECT_EQ(Rounds(360).start_s(infinity), infinity);
}

// Where the scheduler acts at any time, jobs start at any time.
TEST(Rounds, WithoutRoundsEveryTimeIsAStart) {
  for (const double time_s : {0.0, 0.1, 359.9, infinity}) EXPECT_EQ(Rounds(0).start_s(time_s), time_s);
}

// Property, for rounds of any length and times at boundaries, next to them by one unit in the last place, and between:
// the boundary found is the first product at or after the time, as a look at its neighbours shows.
TEST(Rounds, TheProductDecides) {
  RandomStream random(7, Purpose::job_shape, 0);
  for (int i = 0; i < 100'000; ++i) {
    const double round_s = i % 2 == 0 ? 0.1 * (1 + random.below(50)) : 1000 * random.uniform() + 1e-3;
    const Rounds rounds(round_s);
    const Boundary k = random.below(1'000'000);
    const double boundary_s = static_cast<double>(k) * round_s;
    EXPECT_EQ(rounds.at_or_after(boundary_s), k);
    EXPECT_EQ(rounds.count(boundary_s), k);
    EXPECT_TRUE(rounds.is_boundary(boundary_s));
    for (const double time_s : {boundary_s, std::nextafter(boundary_s, infinity), std::nextafter(boundary_s, 0),
                                boundary_s + round_s * random.uniform()}) {
      const Boundary first = rounds.at_or_after(time_s), later = rounds.after(time_s),
                     last = rounds.at_or_before(time_s);
      ASSERT_GE(static_cast<double>(first) * round_s, time_s);
      ASSERT_TRUE(first == 0 || static_cast<double>(first - 1) * round_s < time_s);
      ASSERT_GT(static_cast<double>(later) * round_s, time_s);
      ASSERT_LE(static_cast<double>(later - 1) * round_s, time_s);
      ASSERT_EQ(last, later - 1);
      ASSERT_EQ(rounds.is_boundary(time_s), first == last);
      ASSERT_EQ(rounds.start_s(time_s), static_cast<double>(first) * round_s);
    }
  }
}

}  // namespace
}  // namespace palstudy
