// SPDX-License-Identifier: MIT
#include "sim/state/progress.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// 10 iterations of 2 s from t = 5: done at 25; half of them after 10 s.
TEST(Progress, ExactIsLinear) {
  const Progress progress(Completion::exact, 360);
  const Segment segment{5, 0, 2};
  EXPECT_EQ(progress.finish_s(segment, 10), 25);
  EXPECT_EQ(progress.work_at(segment, 15), 5);
  EXPECT_EQ(progress.work_at(segment, 4), 0);  // a migration is under way until 5
}

// Rounds of 10 s, 2 s an iteration: 5 iterations a boundary. 12 iterations from t = 20 are there at the third boundary
// after it (15 >= 12), at 50; at 45 the last boundary was 40 with 10, and 5 s more make 12.5.
TEST(Progress, RoundCreditsAtBoundaries) {
  const Progress progress(Completion::round, 10);
  const Segment segment{20, 0, 2};
  EXPECT_EQ(progress.finish_s(segment, 12), 50);
  EXPECT_EQ(progress.work_at(segment, 40), 10);
  EXPECT_EQ(progress.work_at(segment, 45), 12.5);
}

// Begun at 24, between boundaries: 6 s are credited at 30 (3 iterations), then 5 a boundary: 8 at 40, 13 at 50.
TEST(Progress, RoundCreditsThePartOfARound) {
  const Progress progress(Completion::round, 10);
  const Segment segment{24, 0, 2};
  EXPECT_EQ(progress.finish_s(segment, 12), 50);
  EXPECT_EQ(progress.finish_s(segment, 3), 30);
  EXPECT_EQ(progress.work_at(segment, 30), 3);
  EXPECT_EQ(progress.work_at(segment, 28), 2);
}

}  // namespace
}  // namespace palstudy
