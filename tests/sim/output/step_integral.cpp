// SPDX-License-Identifier: MIT
#include "sim/output/step_integral.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// A sum of 3 from 10 to 30 (made in two steps at once), of 1 up to 50 and of 0 from then on; the steps come in any
// order. Means are those of what is made of the sum; from a step to itself there is none.
TEST(StepIntegral, MeansAreOfWhatIsMadeOfTheSum) {
  const std::vector<std::pair<double, double>> changes = {{50, -1}, {10, 2}, {30, -2}, {10, 1}};
  const StepIntegral plain(changes, [](double sum) { return sum; });
  EXPECT_EQ(plain.mean(10, 30, 7), 3);
  EXPECT_EQ(plain.mean(30, 50, 7), 1);
  EXPECT_EQ(plain.mean(10, 50, 7), 2);
  EXPECT_EQ(plain.mean(30, 30, 7), 7);
  const StepIntegral squares(changes, [](double sum) { return sum * sum; });
  EXPECT_EQ(squares.mean(10, 50, 7), 5);
}

// What the function makes of nothing counts from 0 on up to the first step; this cancels out of every mean.
TEST(StepIntegral, TheTimeBeforeTheFirstStepIsInNoMean) {
  const StepIntegral raised({{100, 1}, {200, -1}}, [](double sum) { return sum + 10; });
  EXPECT_EQ(raised.mean(100, 200, 7), 11);
}

// 200 s for a job of 50 s on 4 of 16 GPUs. With 8 jobs it would have 2 of the 4 GPUs that it wants and take 100 s, with
// 4 jobs or fewer all of them.
TEST(FinishTimeFairness, IsTheTimeOverThatOnAnEqualShare) {
  EXPECT_EQ(finish_time_fairness(200, 50, 4, 8, 16), 2);
  EXPECT_EQ(finish_time_fairness(200, 50, 4, 4, 16), 4);
  EXPECT_EQ(finish_time_fairness(200, 50, 4, 2, 16), 4);
}

}  // namespace
}  // namespace palstudy
